// Finds the vertex classes of a translation unit while clang parses it, and sees to it that their
// compute functions are compiled although nothing calls them.
#include <map>
#include <memory>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/Path.h>

#include "field_reader.h"
#include "names.h"

namespace tropic::tile::plugin {

namespace {

using namespace clang;

/// The kind that the base classes make of a class; null if it is no vertex.
const char* kind_of(const CXXRecordDecl& record) {
    const char* kind = nullptr;
    for (const CXXBaseSpecifier& specifier : record.bases()) {
        const CXXRecordDecl* base = specifier.getType()->getAsCXXRecordDecl();
        if (base == nullptr || !base->hasDefinition()) continue;
        base = base->getDefinition();
        const auto* space = llvm::dyn_cast<NamespaceDecl>(base->getDeclContext());
        const bool poplar = space != nullptr && space->getName() == "poplar";
        const StringRef name = base->getName();
        if (poplar && name == "MultiVertex") return "multi";
        if (poplar && name == "SupervisorVertex") return "supervisor";
        if (poplar && name == "Vertex") {
            kind = "worker";
        } else if (const char* inherited = kind_of(*base)) {
            kind = inherited;
        }
    }
    return kind;
}

/// compute() of a class or of the nearest base that has one.
CXXMethodDecl* compute_of(const CXXRecordDecl& record) {
    for (CXXMethodDecl* method : record.methods()) {
        if (method->getIdentifier() != nullptr && method->getName() == "compute") return method;
    }
    for (const CXXBaseSpecifier& specifier : record.bases()) {
        const CXXRecordDecl* base = specifier.getType()->getAsCXXRecordDecl();
        if (base == nullptr || !base->hasDefinition()) continue;
        if (CXXMethodDecl* method = compute_of(*base->getDefinition())) return method;
    }
    return nullptr;
}

/// Templates become vertex types only where they are instantiated by name.
bool is_instantiated(const CXXRecordDecl& record) {
    const auto* special = llvm::dyn_cast<ClassTemplateSpecializationDecl>(&record);
    if (special == nullptr) return true;
    const TemplateSpecializationKind kind = special->getSpecializationKind();
    return kind == TSK_ExplicitInstantiationDefinition || kind == TSK_ExplicitSpecialization;
}

/// Remembers the loops that are counted by a rptsize_t.
class LoopFinder : public RecursiveASTVisitor<LoopFinder> {
  public:
    explicit LoopFinder(ASTContext& context) : context_(context) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitForStmt(ForStmt* loop) {
        const auto* start = llvm::dyn_cast_or_null<DeclStmt>(loop->getInit());
        if (start == nullptr || !start->isSingleDecl()) return true;
        const auto* counter = llvm::dyn_cast<VarDecl>(start->getSingleDecl());
        if (counter == nullptr) return true;
        const auto* alias = counter->getType()->getAs<TypedefType>();
        if (alias == nullptr || alias->getDecl()->getName() != "rptsize_t") return true;
        const SourceManager& sources = context_.getSourceManager();
        const PresumedLoc place =
            sources.getPresumedLoc(sources.getExpansionLoc(loop->getBeginLoc()));
        findings().rpt_loops.insert({llvm::sys::path::filename(place.getFilename()).str(),
                                     place.getLine(), place.getColumn()});
        return true;
    }

  private:
    ASTContext& context_;
};

class VertexFinder : public ASTConsumer {
  public:
    explicit VertexFinder(CompilerInstance& compiler) : compiler_(compiler) {}

    void HandleTagDeclDefinition(TagDecl* declaration) override {
        auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration);
        if (record == nullptr || record->isDependentContext() || kind_of(*record) == nullptr)
            return;
        candidates_.push_back(record);
    }

    bool HandleTopLevelDecl(DeclGroupRef) override {
        // A class is complete by now, its members' bodies included.
        for (; marked_ < candidates_.size(); ++marked_) mark(*candidates_[marked_]);
        return true;
    }

    void HandleTranslationUnit(ASTContext& context) override {
        if (compiler_.getDiagnostics().hasErrorOccurred()) return;
        for (; marked_ < candidates_.size(); ++marked_) mark(*candidates_[marked_]);
        for (const CXXRecordDecl* record : candidates_) {
            if (is_instantiated(*record)) describe(context, *record);
        }
        LoopFinder loops(context);
        for (Decl* declaration : context.getTranslationUnitDecl()->decls()) {
            const SourceManager& sources = context.getSourceManager();
            if (!sources.isInSystemHeader(declaration->getLocation()) ||
                sources.getFilename(declaration->getLocation()).ends_with("poplar/Loops.hpp")) {
                loops.TraverseDecl(declaration);
            }
        }
    }

  private:
    void mark(const CXXRecordDecl& record) {
        const auto* special = llvm::dyn_cast<ClassTemplateSpecializationDecl>(&record);
        if (special != nullptr && special->getSpecializationKind() == TSK_ImplicitInstantiation) {
            return;
        }
        CXXMethodDecl* const compute = compute_of(record);
        if (compute == nullptr || compute->hasAttr<UsedAttr>()) return;
        compute->addAttr(UsedAttr::CreateImplicit(compiler_.getASTContext()));
        compiler_.getSema().MarkFunctionReferenced(record.getLocation(), compute);
    }

    void describe(ASTContext& context, const CXXRecordDecl& record) {
        CXXMethodDecl* const compute = compute_of(record);
        if (compute == nullptr) return; // a base of vertices
        VertexFinding vertex;
        vertex.name = vertex_name(context, record);
        vertex.kind = kind_of(record);
        const auto refuse = [&](const std::string& why, const std::string& hint) {
            add_problem(context, compute->getLocation(),
                        "compute() of vertex " + vertex.name + " " + why, hint);
        };
        if (compute->getDefinition() == nullptr) {
            return refuse("is declared but not defined",
                          "define it in C++: codelets in assembly do not run here");
        }
        if (compute->isStatic()) return refuse("is static", "make it a plain member function");
        if (record.isPolymorphic() || record.getNumVBases() > 0) {
            return refuse("is in a class with virtual members or bases",
                          "vertices are plain classes: remove 'virtual'");
        }
        const unsigned wanted = vertex.kind == "multi" ? 1 : 0;
        if (compute->getNumParams() != wanted) {
            return refuse(compute->getNumParams() == 0   ? "takes no parameter"
                          : compute->getNumParams() == 1 ? "takes a parameter"
                                                         : "takes several parameters",
                          wanted == 1 ? "a MultiVertex has compute(unsigned workerId)"
                                      : "only a MultiVertex is given the worker: compute()");
        }
        const PresumedLoc place = context.getSourceManager().getPresumedLoc(record.getLocation());
        if (place.isValid()) vertex.file = place.getFilename();
        const std::unique_ptr<MangleContext> mangler(context.createMangleContext());
        llvm::raw_string_ostream out(vertex.compute);
        mangler->mangleName(GlobalDecl(compute), out);
        read_fields(context, record, vertex);
        findings().vertices.push_back(std::move(vertex));
    }

    CompilerInstance& compiler_;
    std::vector<CXXRecordDecl*> candidates_;
    std::size_t marked_ = 0;
};

class FindVertices : public PluginASTAction {
  protected:
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
        return std::make_unique<VertexFinder>(compiler);
    }

    bool ParseArgs(const CompilerInstance&, const std::vector<std::string>& arguments) override {
        for (const StringRef argument : arguments) {
            if (argument == "checked") findings().checked = true;
            if (argument.starts_with("out=")) findings().output = argument.drop_front(4).str();
            if (argument.starts_with("main=")) findings().main_file = argument.drop_front(5).str();
        }
        return true;
    }

    ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<FindVertices>
    registration("tropic", "finds the vertices of a codelet file");

} // namespace

} // namespace tropic::tile::plugin
