// printf for codelets; the host adds which vertex, tile and worker it was.
#pragma once

#include <cstdio>
