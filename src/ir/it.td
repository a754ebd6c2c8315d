// The index-tree dialect: one kernel each, as nested index nodes with compute nodes at the levels.
#ifndef TROPIC_IT_TD
#define TROPIC_IT_TD

include "ir/ga_base.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def ItDialect : Dialect {
  let name = "it";
  let cppNamespace = "::tropic::it";
  let summary = "index trees: the iteration space of one kernel";
  let description = [{
    A kernel reads tensors through accesses (a tensor with a label for each dimension) and
    workspaces, walks an iteration space given by nested index nodes, and computes at the leaves. A
    value inside a compute node is an element that may be absent; operations say what that means.
  }];
  let dependentDialects = ["::tropic::ga::GaDialect"];
  let useDefaultTypePrinterParser = 1;
}

def ItOutput : I32EnumAttr<"Output", "how the result of a kernel comes about", [
    I32EnumAttrCase<"scalar", 0>, I32EnumAttrCase<"dense", 1>, I32EnumAttrCase<"rows", 2>,
    I32EnumAttrCase<"jumbled_rows", 3>, I32EnumAttrCase<"entries", 4>]> {
  let cppNamespace = "::tropic::it";
}

def ItAccessType : TypeDef<ItDialect, "Access"> {
  let mnemonic = "access";
  let summary = "a tensor, or a workspace, read or written at labels";
}
class ItOp<string opMnemonic, list<Trait> traits = []> : Op<ItDialect, opMnemonic, traits>;


def It_KernelOp : ItOp<"kernel", [SingleBlock, NoTerminator, IsolatedFromAbove,
                                  AttrSizedOperandSegments]> {
  let summary = "one kernel: an iteration space with computations";
  let description = [{
    The body has one argument for each input. All labels of the kernel are listed with their sizes;
    the result has the labels behind the arrow, in storage order, and comes about in one of these
    ways:
    - `scalar`: one number;
    - `dense`: every place of a dense tensor, folded into or written;
    - `rows`: entries appended row by row, counted by the outermost label; `jumbled_rows` are not
      sorted within a row;
    - `entries`: entries appended with all their coordinates.

    `in_place` is the number of a dense input whose memory the result takes over, if nobody else
    holds it: each of its places is looked at before the same place of the result is stored.

    `onto` is the number of a dense input that the result starts as: terms are folded onto it.

    With `ranges`, the label of a result that is folded together all over, threads share the
    coordinates of that label: each goes through the whole kernel, and every loop over the label
    keeps to the coordinates of its own.

    ```mlir
    %y = it.kernel dense labels [i, j] = (%n, %m) -> [i] (%A, %v)
        : (!ga.tensor<f64, d0, c1>, !ga.tensor<f64, d0>) -> !ga.tensor<f64, d0> {
    ^bb0(%0: !ga.tensor<f64, d0, c1>, %1: !ga.tensor<f64, d0>):
      %a = it.access %0[i, j] : !ga.tensor<f64, d0, c1>
      %b = it.access %1[j] : !ga.tensor<f64, d0>
      it.index "i" domain "*" parallel {
        %s = it.accumulator add : f64
        it.index "j" (%a) domain "0" {
          it.compute (%s) fold add {
            %x = it.element %a : f64
            %y = it.element %b : f64
            %z = it.combine multiply both %x, %y : f64
            it.yield %z : f64
          }
        }
        it.compute {
          %t = it.element %s : f64
          it.yield %t : f64
        }
      }
    }
    ```
  }];
  let arguments = (ins ItOutput:$output, StrArrayAttr:$labels, StrArrayAttr:$outLabels,
                       Variadic<GaValue>:$inputs, Variadic<I64>:$sizes,
                       OptionalAttr<I64Attr>:$in_place, OptionalAttr<I64Attr>:$onto,
                       OptionalAttr<StrAttr>:$ranges);
  let results = (outs GaValue:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $output `labels` custom<Labels>($labels) `=` `(` $sizes `)` `->` custom<Labels>($outLabels)
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $result) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block& block() { return getBody().front(); }
  }];
}

def It_AccessOp : ItOp<"access"> {
  let summary = "a tensor read at labels";
  let description = [{
    ```mlir
    %a = it.access %0[i, k] : !ga.tensor<f64, d0, c1>
    ```
  }];
  let arguments = (ins GaTensorType:$tensor, StrArrayAttr:$labels);
  let results = (outs ItAccessType:$result);
  let assemblyFormat = "$tensor `` custom<Labels>($labels) attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def It_WorkspaceOp : ItOp<"workspace"> {
  let summary = "a sparse row under construction";
  let description = [{
    Values by coordinate of one label, with the list of coordinates touched. It is empty where it is
    defined: every pass through the node it stands in starts it anew.

    ```mlir
    %w = it.workspace "j" : f64
    ```
  }];
  let arguments = (ins StrAttr:$label, TypeAttr:$element);
  let results = (outs ItAccessType:$result);
  let assemblyFormat = "$label attr-dict `:` $element";
  let hasVerifier = 1;
}

def It_AccumulatorOp : ItOp<"accumulator"> {
  let summary = "one value under construction, absent at first";
  let description = [{
    `fold` is the operator it is folded with.

    ```mlir
    %s = it.accumulator add : f64
    ```
  }];
  let arguments = (ins GaOperator:$fold, TypeAttr:$element);
  let results = (outs ItAccessType:$result);
  let assemblyFormat = "$fold attr-dict `:` $element";
  let hasVerifier = 1;
}

def It_MarkOp : ItOp<"mark"> {
  let summary = "allows a place of a workspace";
  let description = [{
    A `masked` computation into the workspace only happens at marked places.

    ```mlir
    it.mark %w
    ```
  }];
  let arguments = (ins ItAccessType:$workspace);
  let assemblyFormat = "$workspace attr-dict";
  let hasVerifier = 1;
}

def It_IndexOp : ItOp<"index", [SingleBlock, NoTerminator]> {
  let summary = "a loop over the coordinates of a label";
  let description = [{
    The domain says which coordinates: `*` all; otherwise an expression over the accesses in
    parentheses by number, with `&` (intersection) and `|` (union), where `*` may occur too. Inside,
    each of these accesses is at that coordinate, or absent. A workspace among them is walked in the
    order of touching unless `sorted`. `parallel` iterations are independent of each other.

    ```mlir
    it.index "j" (%a, %b, %c) domain "(0&1)|2" {
      it.mark %w
    }
    ```
  }];
  let arguments = (ins StrAttr:$label, Variadic<ItAccessType>:$drivers, StrAttr:$domain,
                       UnitAttr:$parallel, UnitAttr:$sorted);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $label (`(` $drivers^ `)`)? `domain` $domain (`parallel` $parallel^)? (`sorted` $sorted^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block& block() { return getBody().front(); }
  }];
}

def It_ComputeOp : ItOp<"compute", [SingleBlock]> {
  let summary = "a computation at one place of the iteration space";
  let description = [{
    Computes an element and, if it is present, puts it into the target (an accumulator or a
    workspace) or, without one, into the result of the kernel: by `fold` onto what is there, or
    replacing it. Terms folded into a dense result by another operator than `add` come for whole
    rows at a time; those of the first step of the loops around them replace what is there.

    ```mlir
    it.compute (%w) fold add masked {
      %z = it.element %a : f64
      it.yield %z : f64
    }
    ```
  }];
  let arguments = (ins Optional<ItAccessType>:$target, OptionalAttr<GaOperator>:$fold,
                       UnitAttr:$masked);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`(` $target^ `)`)? (`fold` $fold^)? (`masked` $masked^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block& block() { return getBody().front(); }
  }];
}

def It_ElementOp : ItOp<"element", [Pure]> {
  let summary = "the element of an access at the current place";
  let description = [{
    ```mlir
    %x = it.element %a : f64
    ```
  }];
  let arguments = (ins ItAccessType:$access);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$access attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def It_ScalarOp : ItOp<"scalar", [Pure]> {
  let summary = "a scalar input of the kernel, in the type wanted";
  let description = [{
    ```mlir
    %x = it.scalar %2 : f64 -> f32
    ```
  }];
  let arguments = (ins GaScalar:$scalar);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$scalar attr-dict `:` type($scalar) `->` type($result)";
}

def It_CombineOp : ItOp<"combine", [Pure, SameOperandsAndResultType]> {
  let summary = "two elements combined";
  let description = [{
    `either`: where one is absent the result is the other (negated by `subtract` if it is the right
    one). `both`: where one is absent so is the result.

    ```mlir
    %z = it.combine multiply both %x, %y : f64
    ```
  }];
  let arguments = (ins GaOperator:$op, GaMeeting:$meeting, AnyType:$left, AnyType:$right);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$op $meeting $left `,` $right attr-dict `:` type($result)";
}

def It_ApplyOp : ItOp<"apply", [Pure]> {
  let summary = "a function of an element; absent stays absent";
  let description = [{
    ```mlir
    %z = it.apply negate %x : f64 -> f64
    ```
  }];
  let arguments = (ins GaFunction:$function, AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$function $operand attr-dict `:` type($operand) `->` type($result)";
}

def It_MergeOp : ItOp<"merge", [Pure, TypesMatchWith<"value and result have one type", "result",
                                    "value", "$_self">]> {
  let summary = "one of two elements, by a mask";
  let description = [{
    Where the mask has an element (`structural`) or a nonzero one: the value, present or not;
    elsewhere the old element, or absence if there is none.

    ```mlir
    %z = it.merge structural %m ? %x else %old : f64 : f64 -> f64
    %y = it.merge %m ? %x : f64 -> f64
    ```
  }];
  let arguments = (ins UnitAttr:$structural, AnyType:$mask, AnyType:$value, Optional<AnyType>:$old);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    (`structural` $structural^)? $mask `?` $value (`else` $old^ `:` type($old))? attr-dict
    `:` type($mask) `->` type($result)
  }];
}

def It_YieldOp : ItOp<"yield", [Terminator, ParentOneOf<["ComputeOp"]>]> {
  let summary = "the element computed";
  let description = [{
    ```mlir
    it.compute {
      %z = it.element %a : f64
      it.yield %z : f64
    }
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif
