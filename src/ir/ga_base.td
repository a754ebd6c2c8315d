// What both dialects are made of: the graph-algebra dialect itself, tensor types, operators.
#ifndef TROPIC_GA_BASE_TD
#define TROPIC_GA_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def GaDialect : Dialect {
  let name = "ga";
  let cppNamespace = "::tropic::ga";
  let summary = "graph algebra: whole tensors, semirings, masks";
  let description = [{
    Values are tensors of any rank in a storage format, or scalars (`f64`, `i64`). Labels in
    brackets behind an operand name its dimensions; a label that two operands share makes them
    move together, as in index notation.
  }];
  let useDefaultTypePrinterParser = 1;
}

class GaType<string name, string typeMnemonic> : TypeDef<GaDialect, name> {
  let mnemonic = typeMnemonic;
}

def GaTensorType : GaType<"Tensor", "tensor"> {
  let summary = "a tensor in a storage format";
  let description = [{
    The element type, then the levels of the storage from the outermost: `d` dense, `c` compressed,
    `s` singleton, each with the dimension it stores. Last may come levels `r` of dense tensors:
    dimensions along which every value repeats itself, and for which nothing is stored. Signed and unsigned integers are told apart
    (`si32`, `ui8`); `i1` is bool.

    ```mlir
    !ga.tensor<f64, d0, c1>   // CSR
    !ga.tensor<f64, d1, c0>   // CSC
    !ga.tensor<si32, c0, s1>  // COO
    !ga.tensor<f64, d0, r1>   // a matrix whose columns are all the same: one of them
    ```
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int8_t">:$kinds,
                        ArrayRefParameter<"int8_t">:$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t rank() const { return static_cast<int64_t>(getKinds().size()); }
    /// Every place has a value, whether it is stored or repeated.
    bool isDense() const;
    /// The level has all coordinates of its dimension.
    bool isWhole(size_t level) const;
    /// A dense tensor without its repeated levels, the dimensions left numbered anew.
    TensorType stored() const;
  }];
}

// The numbers are those of tropic::language::Operator.
def GaOperator : I32EnumAttr<"Operator", "an operator of semirings, monoids, element-wise operations", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"subtract", 1>, I32EnumAttrCase<"multiply", 2>,
    I32EnumAttrCase<"divide", 3>, I32EnumAttrCase<"minimum", 4>, I32EnumAttrCase<"maximum", 5>,
    I32EnumAttrCase<"first", 6>, I32EnumAttrCase<"second", 7>, I32EnumAttrCase<"any", 8>,
    I32EnumAttrCase<"pair", 9>, I32EnumAttrCase<"logical_or", 10>,
    I32EnumAttrCase<"logical_and", 11>]> {
  let cppNamespace = "::tropic::ga";
}
def GaMeeting : I32EnumAttr<"Meeting", "where an element-wise result exists",
    [I32EnumAttrCase<"either", 0>, I32EnumAttrCase<"both", 1>]> {
  let cppNamespace = "::tropic::ga";
}
def GaFunction : I32EnumAttr<"Function", "a function of one element",
    [I32EnumAttrCase<"negate", 0>, I32EnumAttrCase<"convert", 1>,
     // Absent where zero.
     I32EnumAttrCase<"nonzero", 2>]> {
  let cppNamespace = "::tropic::ga";
}
def GaWay : I32EnumAttr<"Way", "how a mask is used",
    [I32EnumAttrCase<"automatic", 0>, I32EnumAttrCase<"push", 1>, I32EnumAttrCase<"pull", 2>]> {
  let cppNamespace = "::tropic::ga";
}

def GaScalar : AnyTypeOf<[F64, I64], "a scalar">;
def GaValue : AnyTypeOf<[GaTensorType, F64, I64], "a tensor or a scalar">;

class GaOp<string opMnemonic, list<Trait> traits = []> : Op<GaDialect, opMnemonic, traits>;

#endif
