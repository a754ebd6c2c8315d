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

// -----

func.func @no_such_mode() {
  // expected-error @below {{there is no mode 9, only 1 to 5}}
  %0 = ga.read "0" mode 9 shape [-1, -1] at "line 4" : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @sizes_of_another_rank() {
  // expected-error @below {{a tensor of rank 2 wants as many sizes, not 4}}
  %0 = ga.read "0" mode 1 shape [-1, -1, -1, 7] at "line 4" : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @negative_size() {
  // expected-error @below {{a size of -7; any is -1}}
  %0 = ga.read "0" mode 1 shape [-1, -7] at "line 4" : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @no_such_presentation(%A: !ga.tensor<f64, d0, c1>) {
  // expected-error @below {{there is no presentation 99 of '!ga.tensor<f64, d0, c1>'}}
  ga.print %A as 99 : !ga.tensor<f64, d0, c1>
  return
}

// -----

func.func @presented_scalar(%x: f64) {
  // expected-error @below {{there is no presentation 1 of 'f64'}}
  ga.print %x as 1 : f64
  return
}

// -----

func.func @index_over_an_unknown_label(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    // expected-error @below {{label "q" is none of the kernel's}}
    it.index "q" domain "*" {
    }
  }
  return
}

// -----

func.func @access_at_an_unknown_label(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    // expected-error @below {{label "q" is none of the kernel's}}
    %b = it.access %0[q] : !ga.tensor<f64, d0>
  }
  return
}

// -----

func.func @workspace_of_an_unknown_label(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    // expected-error @below {{label "zz" is none of the kernel's}}
    %w = it.workspace "zz" : f64
  }
  return
}

// -----

func.func @workspace_of_another_type(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    // expected-error @below {{'index' is not an element type}}
    %w = it.workspace "i" : index
  }
  return
}

// -----

func.func @accumulator_of_another_type(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    // expected-error @below {{'i64' is not an element type}}
    %s = it.accumulator add : i64
  }
  return
}

// -----

func.func @marks_what_is_read(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      // expected-error @below {{only places of a workspace are marked}}
      it.mark %a
    }
  }
  return
}

// -----

func.func @computes_into_what_is_read(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      // expected-error @below {{the target can only be read}}
      it.compute (%a) {
        %x = it.element %a : f64
        it.yield %x : f64
      }
    }
  }
  return
}

// -----

func.func @masked_accumulator(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      %s = it.accumulator add : f64
      // expected-error @below {{only computations into a workspace are masked}}
      it.compute (%s) fold add masked {
        %x = it.element %a : f64
        it.yield %x : f64
      }
    }
  }
  return
}

// -----

func.func @another_fold(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      %s = it.accumulator add : f64
      // expected-error @below {{the target is folded with add only}}
      it.compute (%s) fold maximum {
        %x = it.element %a : f64
        it.yield %x : f64
      }
    }
  }
  return
}

// -----

func.func @element_of_another_type(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      it.compute {
        // expected-error @below {{an element of type 'i1' where there are 'f64'}}
        %x = it.element %a : i1
        it.yield %x : i1
      }
    }
  }
  return
}

// -----

func.func @yields_another_type(%A: !ga.tensor<f64, d0>, %n: i64) {
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%0: !ga.tensor<f64, d0>):
    %a = it.access %0[i] : !ga.tensor<f64, d0>
    it.index "i" (%a) domain "0" {
      %w = it.workspace "i" : f32
      it.compute (%w) fold add {
        %x = it.element %a : f64
        // expected-error @below {{an element of type 'f64' for a target of 'f32'}}
        it.yield %x : f64
      }
    }
  }
  return
}

// -----

func.func @tensor_as_a_scalar(%A: !ga.tensor<f64, d0>, %n: i64) {
  // expected-error @below {{a result of type '!ga.tensor<f64, d0>' is not made as 'scalar'}}
  %0 = it.kernel scalar labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
  ^bb0(%a: !ga.tensor<f64, d0>):
  }
  return
}

// -----

func.func @sparse_as_dense(%A: !ga.tensor<f64, d0>, %n: i64) {
  // expected-error @below {{a result of type '!ga.tensor<f64, c0>' is not made as 'dense'}}
  %0 = it.kernel dense labels [i] = (%n) -> [i] (%A) : (!ga.tensor<f64, d0>) -> !ga.tensor<f64, c0> {
  ^bb0(%a: !ga.tensor<f64, d0>):
  }
  return
}
