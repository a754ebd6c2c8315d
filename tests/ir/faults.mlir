// What the verifiers of both dialects refuse, and what they say.

// expected-error @below {{the levels do not store each dimension once}}
func.func private @level_twice() -> !ga.tensor<f64, d0, c0>

// -----

// expected-error @below {{the first level is a singleton}}
func.func private @singleton_first() -> !ga.tensor<f64, s0, c1>

// -----

// expected-error @below {{'i32' is not an element type}}
func.func private @signless() -> !ga.tensor<i32, d0>

// -----

func.func @too_few_labels(%A: !ga.tensor<f64, d0, c1>) {
  // expected-error @below {{the left operand has 2 dimensions and 1 labels}}
  %0 = ga.product (add, multiply) %A[i], %A[i, j] -> [j] : !ga.tensor<f64, d0, c1>, !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d0>
  return
}

// -----

func.func @unknown_label(%A: !ga.tensor<f64, d0, c1>) {
  // expected-error @below {{label "k" of the result is in no operand}}
  %0 = ga.elementwise add either %A[i, j], %A[i, j] -> [i, k] : !ga.tensor<f64, d0, c1>, !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @no_such_dimension(%A: !ga.tensor<f64, d0, c1>) {
  // expected-error @below {{there is no dimension 2}}
  %0 = ga.size %A 2 : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @sizes(%n: i64) {
  // expected-error @below {{a tensor of rank 2 wants as many sizes, not 1}}
  %0 = ga.empty [%n] : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @nothing_to_accumulate_into(%A: !ga.tensor<f64, d0>) {
  // expected-error @below {{there is nothing to accumulate into}}
  %0 = ga.assign %A[i] -> [i] accumulate add : !ga.tensor<f64, d0> -> !ga.tensor<f64, d0>
  return
}

// -----

func.func @missing_driver(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%a: !ga.tensor<f64, d0>):
    // expected-error @below {{there is no access 0 in the domain}}
    it.index "i" domain "0" {
    }
  }
  return
}

// -----

func.func @size_missing(%A: !ga.tensor<f64, d0>) {
  // expected-error @below {{a label lacks its size}}
  %0 = it.kernel dense labels [i] = () -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%a: !ga.tensor<f64, d0>):
  }
  return
}

// -----

func.func @rows_of_a_vector(%x: !ga.tensor<f64, c0>) {
  // expected-error @below {{the tensor has no compressed rows}}
  %0 = ga.rows_filled %x : !ga.tensor<f64, c0>
  return
}

// -----

func.func @presence_of_another_type(%x: !ga.tensor<f64, c0>) {
  // expected-error @below {{the result is not a dense tensor of truths}}
  %0 = ga.presence %x : !ga.tensor<f64, c0> -> !ga.tensor<f64, d0>
  return
}

// -----

// expected-error @below {{repeated levels come last, behind dense ones}}
func.func @repeated_first(%x: !ga.tensor<f64, r0, d1>) {
  return
}

// -----

// expected-error @below {{repeated levels come last, behind dense ones}}
func.func @repeated_behind_sparse(%x: !ga.tensor<f64, c0, r1>) {
  return
}

// -----

func.func @repeats_another_type(%x: !ga.tensor<f64, d0>, %n: i64) {
  // expected-error @below {{the result stores something else than the operand}}
  %0 = ga.repeat %x [%n] : !ga.tensor<f64, d0> -> !ga.tensor<f32, d0, r1>
  return
}

// -----

func.func @repeats_without_a_size(%x: !ga.tensor<f64, d0>, %n: i64) {
  // expected-error @below {{2 repeated levels want as many sizes, not 1}}
  %0 = ga.repeat %x [%n] : !ga.tensor<f64, d0> -> !ga.tensor<f64, d0, r1, r2>
  return
}
