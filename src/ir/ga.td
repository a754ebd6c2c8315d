// The operations of the graph-algebra dialect: whole tensors in index notation. Every front end ends
// here and every machine starts here.
#ifndef TROPIC_GA_TD
#define TROPIC_GA_TD

include "ir/ga_base.td"

def Ga_ReadOp : GaOp<"read"> {
  let summary = "an input of the program";
  let description = [{
    The input of that name, restricted to a triangle by `mode` (1 all, 2 strictly lower, 3 lower,
    4 strictly upper, 5 upper). `shape` holds the sizes it must have, -1 for any.

    ```mlir
    %A = ga.read "0" mode 1 shape [-1, -1] at "line 4" : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$mode, DenseI64ArrayAttr:$shape, StrAttr:$place);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "$name `mode` $mode `shape` $shape `at` $place attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ga_SizeOp : GaOp<"size", [Pure]> {
  let summary = "the size of a dimension";
  let description = [{
    ```mlir
    %n = ga.size %A 0 : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor, I64Attr:$dimension);
  let results = (outs I64:$result);
  let assemblyFormat = "$tensor $dimension attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Ga_FillOp : GaOp<"fill", [Pure]> {
  let summary = "a tensor with one value everywhere";
  let description = [{
    In a sparse format every place is stored.

    ```mlir
    %C = ga.fill %x [%n, %m] : f64 -> !ga.tensor<f64, d0, d1>
    ```
  }];
  let arguments = (ins GaScalar:$value, Variadic<I64>:$sizes);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "$value `[` $sizes `]` attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Ga_EmptyOp : GaOp<"empty", [Pure]> {
  let summary = "a tensor without entries; a dense one is all zero";
  let description = [{
    ```mlir
    %C = ga.empty [%n, %m] : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins Variadic<I64>:$sizes);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "`[` $sizes `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ga_RandomOp : GaOp<"random"> {
  let summary = "uniform random numbers";
  let description = [{
    The same for the same seed of the run, `stream`, position and round: in a loop it gives other
    numbers each time.

    ```mlir
    %C = ga.random [%n, %m] stream 3 : !ga.tensor<f64, d0, d1>
    ```
  }];
  let arguments = (ins Variadic<I64>:$sizes, I64Attr:$stream);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "`[` $sizes `]` `stream` $stream attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ga_ElementwiseOp : GaOp<"elementwise", [Pure]> {
  let summary = "two operands combined place by place";
  let description = [{
    The result exists where `either` operand does (an absent one leaves the other as it is) or only
    where `both` do. A scalar operand (no labels) acts on every place of the other.

    ```mlir
    %C = ga.elementwise add either %A[i, j], %B[j, i] -> [i, j]
        : !ga.tensor<f64, d0, c1>, !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaOperator:$op, GaMeeting:$meeting, GaValue:$left, StrArrayAttr:$leftLabels,
                       GaValue:$right, StrArrayAttr:$rightLabels, StrArrayAttr:$labels);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = [{
    $op $meeting $left `` custom<Labels>($leftLabels) `,` $right `` custom<Labels>($rightLabels)
    `->` custom<Labels>($labels) attr-dict `:` type($left) `,` type($right) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ga_ApplyOp : GaOp<"apply", [Pure]> {
  let summary = "a function of each stored element";
  let description = [{
    ```mlir
    %C = ga.apply negate %A[i, j] : !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaFunction:$function, GaTensorType:$operand, StrArrayAttr:$labels);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = [{
    $function $operand `` custom<Labels>($labels) attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ga_ProductOp : GaOp<"product", [Pure]> {
  let summary = "a product over a semiring";
  let description = [{
    For all values of the labels that are not in the result: fold by the first operator of the
    second operator applied to both operands, where both have a value.

    ```mlir
    %C = ga.product (minimum, add) %A[i, k], %B[k, j] -> [i, j]
        : !ga.tensor<f64, d0, c1>, !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaOperator:$add, GaOperator:$multiply, GaValue:$left,
                       StrArrayAttr:$leftLabels, GaValue:$right, StrArrayAttr:$rightLabels,
                       StrArrayAttr:$labels);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = [{
    `(` $add `,` $multiply `)` $left `` custom<Labels>($leftLabels) `,`
    $right `` custom<Labels>($rightLabels) `->` custom<Labels>($labels) attr-dict
    `:` type($left) `,` type($right) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ga_ReduceOp : GaOp<"reduce", [Pure]> {
  let summary = "all entries folded to a scalar";
  let description = [{
    ```mlir
    %n = ga.reduce add %A[i, j] : !ga.tensor<f64, d0, c1> -> f64
    ```
  }];
  let arguments = (ins GaOperator:$op, GaTensorType:$operand, StrArrayAttr:$labels);
  let results = (outs GaScalar:$result);
  let assemblyFormat = [{
    $op $operand `` custom<Labels>($labels) attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ga_AssignOp : GaOp<"assign", [Pure, AttrSizedOperandSegments]> {
  let summary = "a value stored in a variable's format, through a mask, into what was there";
  let description = [{
    The result has the labels of `labels`, in that order, and the format of its type. With a mask
    only the mask's places are assigned; the others keep what `old` has there (nothing, if there is
    no `old`). With `accumulate` the value is combined with `old` instead of replacing it.

    ```mlir
    %C = ga.assign %V[i, j] -> [j, i] : !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d1, c0>
    %D = ga.assign %V[i, j] -> [i, j] old %B mask %M[i, j] push accumulate add
        : !ga.tensor<f64, d0, c1> old !ga.tensor<f64, d0, c1> mask !ga.tensor<f64, d0, c1>
          -> !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaTensorType:$value, StrArrayAttr:$valueLabels, StrArrayAttr:$labels,
                       Optional<GaTensorType>:$old, Optional<GaTensorType>:$mask,
                       OptionalAttr<StrArrayAttr>:$maskLabels, OptionalAttr<GaWay>:$way,
                       OptionalAttr<GaOperator>:$accumulate);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = [{
    $value `` custom<Labels>($valueLabels) `->` custom<Labels>($labels)
    (`old` $old^)? (`mask` $mask^ `` custom<Labels>($maskLabels) $way)?
    (`accumulate` $accumulate^)? attr-dict
    `:` type($value) (`old` type($old)^)? (`mask` type($mask)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ga_ConvertOp : GaOp<"convert", [Pure]> {
  let summary = "the same tensor in another storage format";
  let description = [{
    ```mlir
    %B = ga.convert %A : !ga.tensor<f64, d0, c1> -> !ga.tensor<f64, d1, c0>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Ga_PresenceOp : GaOp<"presence", [Pure]> {
  let summary = "where a tensor has entries, as truths in a dense tensor";
  let description = [{
    ```mlir
    %p = ga.presence %s : !ga.tensor<f64, c0> -> !ga.tensor<i1, d0>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Ga_RepeatOp : GaOp<"repeat", [Pure]> {
  let summary = "a dense tensor that is the same along more dimensions";
  let description = [{
    The result has the operand's levels and behind them repeated ones, of the given sizes, for which
    nothing is stored. `ga.convert` to a dense type stores every place.

    ```mlir
    %Y = ga.repeat %y [%m] : !ga.tensor<f64, d0> -> !ga.tensor<f64, d0, r1>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor, Variadic<I64>:$sizes);
  let results = (outs GaTensorType:$result);
  let assemblyFormat = "$tensor `[` $sizes `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Ga_RowsFilledOp : GaOp<"rows_filled", [Pure]> {
  let summary = "whether every row of a matrix has an entry";
  let description = [{
    The matrix is stored by rows or by columns; the rows are those of its storage.

    ```mlir
    %filled = ga.rows_filled %A : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor);
  let results = (outs I1:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Ga_RequireEqualOp : GaOp<"require_equal"> {
  let summary = "two sizes of one label must agree";
  let description = [{
    ```mlir
    ga.require_equal %n, %m "j" "A's dimension 2" "B's dimension 1" at "line 9, column 3"
    ```
  }];
  let arguments = (ins I64:$left, I64:$right, StrAttr:$label, StrAttr:$leftName, StrAttr:$rightName,
                       StrAttr:$place);
  let assemblyFormat = "$left `,` $right $label $leftName $rightName `at` $place attr-dict";
}

def Ga_PrintOp : GaOp<"print"> {
  let summary = "shows a tensor or a scalar";
  let description = [{
    `as` is the number of a tropic::language::Presentation, 0 for a scalar.

    ```mlir
    ga.print %A as 0 : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaValue:$value, I64Attr:$presentation);
  let assemblyFormat = "$value `as` $presentation attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Ga_TimeOp : GaOp<"time"> {
  let summary = "seconds since some fixed moment";
  let description = [{
    ```mlir
    %t = ga.time
    ```
  }];
  let results = (outs F64:$result);
  let assemblyFormat = "attr-dict";
}

def Ga_PrintElapsedOp : GaOp<"print_elapsed"> {
  let summary = "shows a number of seconds";
  let description = [{
    ```mlir
    ga.print_elapsed %t
    ```
  }];
  let arguments = (ins F64:$seconds);
  let assemblyFormat = "$seconds attr-dict";
}

def Ga_ResultOp : GaOp<"result"> {
  let summary = "hands a final value to the caller";
  let description = [{
    ```mlir
    ga.result "C" %C : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins StrAttr:$name, GaValue:$value);
  let assemblyFormat = "$name $value attr-dict `:` type($value)";
}

#endif
