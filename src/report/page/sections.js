// sections
