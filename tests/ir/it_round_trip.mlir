// Every operation of the index-tree dialect, read and printed the same.

!csr = !ga.tensor<f64, d0, c1>

// CHECK-LABEL: func.func @masked_product
// CHECK: it.kernel rows labels [i, j, k] = (%{{.*}}, %{{.*}}, %{{.*}}) -> [i, j](%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: it.access %{{.*}}[i, k] : <f64, d0, c1>
// CHECK: it.index "i" domain "*" parallel {
// CHECK: it.workspace "j" : f64
// CHECK: it.index "j"(%{{.*}}) domain "0" {
// CHECK: it.mark
// CHECK: it.compute(%{{.*}}) fold add masked {
// CHECK: it.element %{{.*}} : f64
// CHECK: it.combine multiply both %{{.*}}, %{{.*}} : f64
// CHECK: it.yield %{{.*}} : f64
// CHECK: it.index "j"(%{{.*}}, %{{.*}}) domain "0&1" sorted {
// CHECK: it.scalar %{{.*}} : f64 -> f64
// CHECK: it.apply negate %{{.*}} : f64 -> f64
// CHECK: it.merge structural %{{.*}} ? %{{.*}} : f64 -> f64
func.func @masked_product(%A: !csr, %M: !csr, %x: f64, %n: i64) -> !csr {
  %C = it.kernel rows labels [i, j, k] = (%n, %n, %n) -> [i, j] (%A, %M, %x) : (!csr, !csr, f64) -> !csr {
  ^bb0(%0: !csr, %1: !csr, %2: f64):
    %a = it.access %0[i, k] : !csr
    %b = it.access %0[k, j] : !csr
    %m = it.access %1[i, j] : !csr
    it.index "i" domain "*" parallel {
      %w = it.workspace "j" : f64
      it.index "j"(%m) domain "0" {
        it.mark %w
      }
      it.index "k"(%a) domain "0" {
        it.index "j"(%b) domain "0" {
          it.compute(%w) fold add masked {
            %e = it.element %a : f64
            %f = it.element %b : f64
            %g = it.combine multiply both %e, %f : f64
            it.yield %g : f64
          }
        }
      }
      it.index "j"(%m, %w) domain "0&1" sorted {
        it.compute {
          %e = it.element %m : f64
          %f = it.element %w : f64
          %s = it.scalar %2 : f64 -> f64
          %g = it.combine add both %f, %s : f64
          %h = it.apply negate %g : f64 -> f64
          %r = it.merge structural %e ? %h : f64 -> f64
          it.yield %r : f64
        }
      }
    }
  }
  return %C : !csr
}

// CHECK-LABEL: func.func @sum
// CHECK: it.kernel scalar
// CHECK: it.accumulator minimum : f64
// CHECK: it.compute fold add {
func.func @sum(%A: !csr, %n: i64) -> f64 {
  %s = it.kernel scalar labels [i, j] = (%n, %n) -> [] (%A) : (!csr) -> f64 {
  ^bb0(%0: !csr):
    %a = it.access %0[i, j] : !csr
    it.index "i" domain "*" parallel {
      %t = it.accumulator minimum : f64
      it.index "j"(%a) domain "0" {
        it.compute(%t) fold minimum {
          %e = it.element %a : f64
          it.yield %e : f64
        }
      }
      it.compute fold add {
        %e = it.element %t : f64
        it.yield %e : f64
      }
    }
  }
  return %s : f64
}
