#include <poplar/Vertex.hpp>
#include <print.h>

using namespace poplar;

class Talk : public Vertex {
  public:
    Input<int> number;

    bool compute() {
        printf("the number is %d\n", *number);
        return true;
    }
};
