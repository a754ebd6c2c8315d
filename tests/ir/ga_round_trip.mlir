// Every operation of the graph-algebra dialect, read and printed the same.

!csr = !ga.tensor<f64, d0, c1>
!csc = !ga.tensor<f64, d1, c0>
!coo = !ga.tensor<si32, c0, s1>
!vector = !ga.tensor<f64, d0>

// CHECK-LABEL: func.func @sources
// CHECK: ga.read "0" mode 1 shape [-1, -1] at "4:3:1" : <f64, d0, c1>
// CHECK: ga.size %{{.*}} 0 : <f64, d0, c1>
// CHECK: ga.fill %{{.*}}[%{{.*}}] : f64 -> <f64, d0>
// CHECK: ga.empty[%{{.*}}, %{{.*}}] : <si32, c0, s1>
// CHECK: ga.random[%{{.*}}] stream 3 : <f64, d0>
// CHECK: ga.convert %{{.*}} : <f64, d0, c1> -> <f64, d1, c0>
// CHECK: ga.presence %{{.*}} : <f64, c0> -> <i1, d0>
// CHECK: ga.repeat %{{.*}}[%{{.*}}] : <f64, d0> -> <f64, d0, r1>
// CHECK: ga.repeat %{{.*}}[%{{.*}}, %{{.*}}] : <f64, d0> -> <f64, d2, r0, r1>
// CHECK: ga.rows_filled %{{.*}} : <f64, d0, c1>
func.func @sources(%x: f64) {
  %A = ga.read "0" mode 1 shape [-1, -1] at "4:3:1" : !csr
  %n = ga.size %A 0 : !csr
  %y = ga.fill %x [%n] : f64 -> !vector
  %C = ga.empty [%n, %n] : !coo
  %r = ga.random [%n] stream 3 : !vector
  %B = ga.convert %A : !csr -> !csc
  %s = ga.convert %y : !vector -> !ga.tensor<f64, c0>
  %p = ga.presence %s : !ga.tensor<f64, c0> -> !ga.tensor<i1, d0>
  %Y = ga.repeat %y [%n] : !vector -> !ga.tensor<f64, d0, r1>
  %Z = ga.repeat %y [%n, %n] : !vector -> !ga.tensor<f64, d2, r0, r1>
  %f = ga.rows_filled %A : !csr
  return
}

// CHECK-LABEL: func.func @computations
// CHECK: ga.elementwise add either %{{.*}}[i, j], %{{.*}}[j, i] -> [i, j]
// CHECK: ga.elementwise multiply both %{{.*}}[i, j], %{{.*}}[] -> [i, j]
// CHECK: ga.apply negate %{{.*}}[i, j]
// CHECK: ga.product(minimum, add) %{{.*}}[i, k], %{{.*}}[k, j] -> [i, j]
// CHECK: ga.reduce add %{{.*}}[i, j] : <f64, d0, c1> -> f64
// CHECK: ga.assign %{{.*}}[i, j] -> [j, i] : <f64, d0, c1> -> <f64, d1, c0>
// CHECK: ga.assign %{{.*}}[i, j] -> [i, j] old %{{.*}} mask %{{.*}}[i, j] push accumulate add
// CHECK-SAME: : <f64, d0, c1> old !ga.tensor<f64, d0, c1> mask !ga.tensor<f64, d0, c1> -> <f64, d0, c1>
// CHECK: ga.assign %{{.*}}[i, j] -> [i, j] mask %{{.*}}[i, j] pull : <f64, d0, c1> mask !ga.tensor<f64, d0, c1> -> <f64, d0, c1>
// CHECK: ga.assign %{{.*}}[i, j] -> [i, j] old %{{.*}} accumulate add : <f64, d0, c1> old !ga.tensor<f64, d0, c1> -> <f64, d0, c1>
func.func @computations(%A: !csr, %x: f64) -> f64 {
  %0 = ga.elementwise add either %A[i, j], %A[j, i] -> [i, j] : !csr, !csr -> !csr
  %1 = ga.elementwise multiply both %A[i, j], %x[] -> [i, j] : !csr, f64 -> !csr
  %2 = ga.apply negate %A[i, j] : !csr -> !csr
  %3 = ga.product (minimum, add) %A[i, k], %A[k, j] -> [i, j] : !csr, !csr -> !csr
  %4 = ga.reduce add %A[i, j] : !csr -> f64
  %5 = ga.assign %A[i, j] -> [j, i] : !csr -> !csc
  %6 = ga.assign %3[i, j] -> [i, j] old %A mask %2[i, j] push accumulate add : !csr old !csr mask !csr -> !csr
  %7 = ga.assign %3[i, j] -> [i, j] mask %2[i, j] pull : !csr mask !csr -> !csr
  %8 = ga.assign %3[i, j] -> [i, j] old %A accumulate add : !csr old !csr -> !csr
  return %4 : f64
}

// CHECK-LABEL: func.func @effects
// CHECK: ga.require_equal %{{.*}}, %{{.*}} "j" "A's dimension 2" "B's dimension 1" at "9:3:1"
// CHECK: ga.print %{{.*}} as 0 : !ga.tensor<f64, d0, c1>
// CHECK: ga.time
// CHECK: ga.print_elapsed
// CHECK: ga.result "C" %{{.*}} : !ga.tensor<f64, d0, c1>
func.func @effects(%A: !csr, %n: i64) {
  ga.require_equal %n, %n "j" "A's dimension 2" "B's dimension 1" at "9:3:1"
  ga.print %A as 0 : !csr
  %t = ga.time
  ga.print_elapsed %t
  ga.result "C" %A : !csr
  return
}
