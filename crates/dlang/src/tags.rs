//! Error tags: the names by which a compilation error is known, whatever the wording of its message.
//!
//! The names are those of the published test suites. Most are shared by the two living
//! implementations; the table marks those that only one of them knows.

use std::fmt;

/// Which implementations know a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Both.
    Common,
    /// illumos only.
    Illumos,
    /// Oracle's Linux port only.
    Oracle,
}

macro_rules! tags {
    ($($dialect:ident { $($variant:ident $name:literal $gloss:literal)* })*) => {
        /// The kind of a compilation error.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tag {
            $($(#[doc = $gloss] $variant,)*)*
        }

        impl Tag {
            /// Every tag, in the table's order.
            pub const ALL: &'static [Tag] = &[$($(Tag::$variant,)*)*];

            /// The name as it is printed: `D_SYNTAX`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(Tag::$variant => concat!("D_", $name),)*)*
                }
            }

            /// The meaning of the tag, in one sentence.
            #[must_use]
            pub fn gloss(self) -> &'static str {
                match self {
                    $($(Tag::$variant => $gloss,)*)*
                }
            }

            /// Which implementations know it.
            #[must_use]
            pub fn dialect(self) -> Dialect {
                match self {
                    $($(Tag::$variant)|* => Dialect::$dialect,)*
                }
            }
        }
    };
}

impl Tag {
    /// The tag by which a dialect knows the same fault.
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Tag {
        if dialect != Dialect::Oracle {
            return self;
        }
        match self {
            Tag::LlquantFactorsmall => Tag::LlquantFactorval,
            Tag::LlquantLowtype => Tag::LlquantLmagtype,
            Tag::LlquantLowval => Tag::LlquantLmagval,
            Tag::LlquantHightype => Tag::LlquantHmagtype,
            Tag::LlquantHighval | Tag::LlquantMagrange | Tag::LlquantMagtoobig => Tag::LlquantHmagval,
            Tag::LlquantNsteptype => Tag::LlquantSteptype,
            Tag::LlquantNstepval | Tag::LlquantFactoreven | Tag::LlquantFactornsteps => Tag::LlquantStepval,
            Tag::LlquantFactormatch => Tag::LlquantMatchfactor,
            Tag::LlquantLowmatch => Tag::LlquantMatchlmag,
            Tag::LlquantHighmatch => Tag::LlquantMatchhmag,
            Tag::LlquantNstepmatch => Tag::LlquantMatchsteps,
            Tag::ClearProto | Tag::TruncProto | Tag::NormalizeProto | Tag::TracememArgs => Tag::ProtoLen,
            Tag::StackProto | Tag::UstackProto => Tag::ProtoLen,
            Tag::StackSize | Tag::UstackFrames | Tag::UstackStrsize => Tag::ProtoArg,
            Tag::TruncScalar | Tag::NormalizeScalar => Tag::ProtoArg,
            Tag::TraceAgg => Tag::TraceDyn,
            other => other,
        }
    }
}

tags! {
    Common {
        Unknown "UNKNOWN" "An error without a specific tag."
        Syntax "SYNTAX" "The text does not follow the grammar of D."
        Empty "EMPTY" "The program has neither clauses nor declarations."
        TypeErr "TYPE_ERR" "A type could not be found or made."
        TypeMember "TYPE_MEMBER" "The type of a member could not be found."
        Asrelo "ASRELO" "A relocation could not be assembled."
        CgExpr "CG_EXPR" "No code can be made for an expression of this form."
        CgDyn "CG_DYN" "No code can be made for an expression of dynamic type."
        AttrMin "ATTR_MIN" "An interface is less stable than the attribute minimum allows."
        IdOflow "ID_OFLOW" "There are more identifiers than the numbering can hold."
        PdescZero "PDESC_ZERO" "A probe description matches no probe."
        PdescInval "PDESC_INVAL" "A probe description is malformed, for instance with too many parts."
        PredScalar "PRED_SCALAR" "A predicate is not of a scalar type."
        FuncIdent "FUNC_IDENT" "What is called is not a name."
        FuncUndef "FUNC_UNDEF" "The called function does not exist."
        FuncIdkind "FUNC_IDKIND" "The called name is not a function."
        DxLoop "DX_LOOP" "A loop never ends, or break or continue is outside a loop (with -x dx)."
        DxFunc "DX_FUNC" "A function of the program is recursive, returns wrongly, or is used wrongly (with -x dx)."
        OffsetofType "OFFSETOF_TYPE" "offsetof was given a type that is not a struct or union."
        OffsetofBitfield "OFFSETOF_BITFIELD" "offsetof was given a bit-field."
        SizeofType "SIZEOF_TYPE" "sizeof was given something without a size, such as void or a dynamic value."
        SizeofBitfield "SIZEOF_BITFIELD" "sizeof was given a bit-field."
        StringofType "STRINGOF_TYPE" "stringof was given something that cannot become a string."
        OpIdent "OP_IDENT" "The operand must be a name."
        OpInt "OP_INT" "The operand must be an integer."
        OpScalar "OP_SCALAR" "The operand must be a scalar."
        OpArith "OP_ARITH" "The operand must be arithmetic."
        OpWrite "OP_WRITE" "The operand cannot be written to."
        OpLval "OP_LVAL" "The operand must denote a place that can be changed."
        OpIncompat "OP_INCOMPAT" "The operands' types do not go together."
        OpVfptr "OP_VFPTR" "Arithmetic cannot be done on a pointer to void or to a function."
        OpArrfun "OP_ARRFUN" "The operand may not be an array or a function."
        OpPtr "OP_PTR" "The operand must be a pointer."
        OpSou "OP_SOU" "The operand must be a struct or union."
        OpIncomplete "OP_INCOMPLETE" "The operand's type is declared but not defined."
        OpDyn "OP_DYN" "The operand may not be of dynamic type."
        OpAct "OP_ACT" "An action or aggregation cannot be an operand."
        AggRedef "AGG_REDEF" "An aggregation is used with another function or other parameters than before."
        AggFunc "AGG_FUNC" "What is assigned to an aggregation is not an aggregating function."
        AggMdim "AGG_MDIM" "An aggregation takes one list of keys only."
        AggComm "AGG_COMM" "An aggregation may not follow commit."
        AggSpec "AGG_SPEC" "An aggregation may not follow speculate."
        AggNull "AGG_NULL" "An aggregation statement has no aggregating function."
        AggScalar "AGG_SCALAR" "An aggregating function needs a scalar argument."
        ArrBadref "ARR_BADREF" "An array is used in a way that arrays cannot be."
        ArrLocal "ARR_LOCAL" "An associative array may not be clause-local."
        DivZero "DIV_ZERO" "A constant divisor is zero."
        DerefNonptr "DEREF_NONPTR" "What is dereferenced is not a pointer."
        DerefVoid "DEREF_VOID" "A pointer to void cannot be dereferenced."
        DerefFunc "DEREF_FUNC" "A pointer to a function cannot be dereferenced."
        AddrofLval "ADDROF_LVAL" "The operand of & has no address."
        AddrofVar "ADDROF_VAR" "The address of a dynamic variable cannot be taken."
        AddrofBitfield "ADDROF_BITFIELD" "The address of a bit-field cannot be taken."
        XlateRedecl "XLATE_REDECL" "A translator for these types exists already."
        XlateNoconv "XLATE_NOCONV" "The translator gives no value for this member."
        XlateNone "XLATE_NONE" "No translator converts between these types."
        XlateSou "XLATE_SOU" "A translator's output must be a struct or union."
        XlateIncompat "XLATE_INCOMPAT" "The value for a translated member does not fit the member's type."
        XlateMemb "XLATE_MEMB" "The translator's output type has no such member."
        CastInval "CAST_INVAL" "A cast between these types is not possible."
        Pragerr "PRAGERR" "The program itself asked for an error with #pragma error."
        PragctlInval "PRAGCTL_INVAL" "A control line other than those that D knows."
        PragmaInval "PRAGMA_INVAL" "A #pragma D line of an unknown kind."
        PragmaUnused "PRAGMA_UNUSED" "A #pragma attached something to a name that was never used."
        PragmaMalform "PRAGMA_MALFORM" "A #pragma line does not have the words that its kind needs."
        PragmaOptset "PRAGMA_OPTSET" "A #pragma D option line names an unknown option, a bad value, or one not allowed there."
        PragmaScope "PRAGMA_SCOPE" "A #pragma line names a symbol of the wrong scope."
        PragmaDepend "PRAGMA_DEPEND" "Something that the program depends on is not there."
        MacroUndef "MACRO_UNDEF" "A macro variable has no value."
        MacroOflow "MACRO_OFLOW" "The value of a macro variable does not fit an integer."
        MacroUnused "MACRO_UNUSED" "An argument was given that the program does not use."
        IntOflow "INT_OFLOW" "An integer constant does not fit any integer type."
        IntDigit "INT_DIGIT" "An integer constant has a digit that its base does not have."
        StrNl "STR_NL" "A line ends within a string constant."
        ChrNl "CHR_NL" "A line ends within a character constant."
        ChrNull "CHR_NULL" "A character constant is empty."
        ChrOflow "CHR_OFLOW" "A character constant has more than eight characters."
        IdentBadref "IDENT_BADREF" "A name is used in a way that its kind does not allow."
        IdentUndef "IDENT_UNDEF" "A name is not defined."
        IdentAmbig "IDENT_AMBIG" "A name without arguments or keys could mean several things."
        SymBadref "SYM_BADREF" "A symbol is used in a way that it cannot be."
        SymNotypes "SYM_NOTYPES" "A symbol has no type information."
        SymModel "SYM_MODEL" "A symbol belongs to a program of another data model."
        VarUndef "VAR_UNDEF" "A variable is read that no statement has given a type."
        VarUnsup "VAR_UNSUP" "A variable is not supported where it is used."
        ProtoLen "PROTO_LEN" "The number of arguments or keys is wrong."
        ProtoArg "PROTO_ARG" "An argument or key has the wrong type."
        ArgsMulti "ARGS_MULTI" "args[] is used in a clause whose probes do not share one list of argument types."
        ArgsXlator "ARGS_XLATOR" "An argument needs a translator that does not exist."
        ArgsNone "ARGS_NONE" "The probe has no typed arguments."
        ArgsType "ARGS_TYPE" "The type of an argument is not known."
        ArgsIdx "ARGS_IDX" "The probe has fewer typed arguments."
        RegsIdx "REGS_IDX" "There is no register of that number."
        KeyType "KEY_TYPE" "A key is not of a type that keys can have."
        PrintfDynProto "PRINTF_DYN_PROTO" "A format takes a width or precision that is not among the arguments."
        PrintfDynType "PRINTF_DYN_TYPE" "A width or precision argument is not an integer."
        PrintfAggConv "PRINTF_AGG_CONV" "The conversion %@ is for printa only."
        PrintfArgProto "PRINTF_ARG_PROTO" "A format takes more arguments than are given."
        PrintfArgType "PRINTF_ARG_TYPE" "An argument does not fit its conversion."
        PrintfArgExtra "PRINTF_ARG_EXTRA" "A format takes fewer arguments than are given."
        PrintfArgFmt "PRINTF_ARG_FMT" "A format is not a string constant."
        PrintfFmtEmpty "PRINTF_FMT_EMPTY" "A format is empty."
        DeclCharattr "DECL_CHARATTR" "The words of a type do not go with char."
        DeclVoidattr "DECL_VOIDATTR" "The words of a type do not go with void."
        DeclSignint "DECL_SIGNINT" "signed and unsigned are for integer types only."
        DeclLongint "DECL_LONGINT" "long and short are for integer types only."
        DeclIdent "DECL_IDENT" "A declaration lacks its name or has one where none belongs."
        DeclClass "DECL_CLASS" "The storage class is not possible here."
        DeclBadclass "DECL_BADCLASS" "There is more than one storage class."
        DeclParmclass "DECL_PARMCLASS" "A parameter cannot have this storage class."
        DeclCombo "DECL_COMBO" "The words of a type do not go together."
        DeclArrsub "DECL_ARRSUB" "The size of an array is not a positive integer constant."
        DeclArrnull "DECL_ARRNULL" "The size of an array is missing."
        DeclArrbig "DECL_ARRBIG" "An array is too large."
        DeclIdred "DECL_IDRED" "A name is declared again with another meaning."
        DeclTypered "DECL_TYPERED" "A type is defined again."
        DeclMname "DECL_MNAME" "A member lacks its name or has the name of another."
        DeclScope "DECL_SCOPE" "A name with a scope cannot be declared."
        DeclBfconst "DECL_BFCONST" "The width of a bit-field is not a positive integer constant."
        DeclBfsize "DECL_BFSIZE" "A bit-field is wider than its type."
        DeclBftype "DECL_BFTYPE" "A bit-field is not of an integer type."
        DeclEnconst "DECL_ENCONST" "The value of an enumerator is not an integer constant."
        DeclEnoflow "DECL_ENOFLOW" "The value of an enumerator does not fit int."
        DeclUseless "DECL_USELESS" "A declaration declares nothing."
        DeclLocassc "DECL_LOCASSC" "An associative array cannot be declared clause-local."
        DeclVoidobj "DECL_VOIDOBJ" "No object can have the type void."
        DeclDynobj "DECL_DYNOBJ" "No object can have a dynamic type."
        DeclIncomplete "DECL_INCOMPLETE" "The declared type is not complete."
        DeclProtoVarargs "DECL_PROTO_VARARGS" "A variable argument list is not possible here."
        DeclProtoType "DECL_PROTO_TYPE" "A parameter cannot have this type."
        DeclProtoVoid "DECL_PROTO_VOID" "void must be the only parameter."
        DeclProtoName "DECL_PROTO_NAME" "A parameter's name appears twice."
        DeclProtoForm "DECL_PROTO_FORM" "A parameter list lacks its types."
        CommDrec "COMM_DREC" "commit may not follow a statement that records data."
        SpecSpec "SPEC_SPEC" "A clause may speculate once only."
        SpecComm "SPEC_COMM" "speculate may not follow commit."
        SpecDrec "SPEC_DREC" "speculate may not follow a statement that records data."
        ActSpec "ACT_SPEC" "A destructive action may not follow speculate."
        ExitSpec "EXIT_SPEC" "exit may not follow speculate."
        DrecComm "DREC_COMM" "A statement that records data may not follow commit."
        PrintaProto "PRINTA_PROTO" "printa has too few arguments."
        PrintaAggarg "PRINTA_AGGARG" "printa needs an aggregation as its argument."
        PrintaAggbad "PRINTA_AGGBAD" "The aggregation given to printa was never filled."
        PrintaAggkey "PRINTA_AGGKEY" "The aggregations given to printa have different numbers of keys."
        PrintaAggproto "PRINTA_AGGPROTO" "The aggregations given to printa have keys of different types."
        TraceVoid "TRACE_VOID" "trace cannot record a void value."
        TraceDyn "TRACE_DYN" "trace cannot record a value of dynamic type."
        TracememAddr "TRACEMEM_ADDR" "The address given to tracemem is neither a pointer nor an integer."
        TracememSize "TRACEMEM_SIZE" "The size given to tracemem is not a positive integer constant."
        StackProto "STACK_PROTO" "stack has too many arguments."
        StackSize "STACK_SIZE" "The size given to stack is not a positive integer constant."
        UstackFrames "USTACK_FRAMES" "The number of frames given to ustack is not a positive integer constant."
        UstackStrsize "USTACK_STRSIZE" "The string size given to ustack is not an integer constant."
        UstackProto "USTACK_PROTO" "ustack has too many arguments."
        LquantBasetype "LQUANT_BASETYPE" "The base of lquantize is not an integer constant."
        LquantBaseval "LQUANT_BASEVAL" "The base of lquantize does not fit 32 bits."
        LquantLimtype "LQUANT_LIMTYPE" "The limit of lquantize is not an integer constant."
        LquantLimval "LQUANT_LIMVAL" "The limit of lquantize does not fit 32 bits."
        LquantMismatch "LQUANT_MISMATCH" "The base of lquantize is not below its limit."
        LquantSteptype "LQUANT_STEPTYPE" "The step of lquantize is not an integer constant."
        LquantStepval "LQUANT_STEPVAL" "The step of lquantize is not positive or does not fit 16 bits."
        LquantSteplarge "LQUANT_STEPLARGE" "The step of lquantize is larger than its whole range."
        LquantStepsmall "LQUANT_STEPSMALL" "The step of lquantize makes too many buckets."
        LquantMatchbase "LQUANT_MATCHBASE" "The base of lquantize is not the one used before."
        LquantMatchlim "LQUANT_MATCHLIM" "The limit of lquantize is not the one used before."
        LquantMatchstep "LQUANT_MATCHSTEP" "The step of lquantize is not the one used before."
        QuantProto "QUANT_PROTO" "quantize has the wrong number of arguments."
        LlquantFactortype "LLQUANT_FACTORTYPE" "The factor of llquantize is not an integer constant."
        LlquantFactorval "LLQUANT_FACTORVAL" "The factor of llquantize does not fit 16 bits."
        ProcOff "PROC_OFF" "An offset within a function is not a probe site."
        ProcAlign "PROC_ALIGN" "An offset is not on the boundary of an instruction."
        ProcName "PROC_NAME" "A process probe has a name that its provider does not know."
        ProcGrab "PROC_GRAB" "A process could not be taken hold of."
        ProcDyn "PROC_DYN" "A program is not dynamically linked."
        ProcLib "PROC_LIB" "A library of a process was not found."
        ProcFunc "PROC_FUNC" "A function of a process was not found."
        ProcCreatefail "PROC_CREATEFAIL" "A probe in a process could not be made."
        ProcNodev "PROC_NODEV" "The device for probes in processes is not there."
        ProcBadpid "PROC_BADPID" "A process identifier is not valid."
        ProcBadprov "PROC_BADPROV" "The provider of a process probe is not valid."
        ProcUsdt "PROC_USDT" "The static probes of a process could not be made."
        ClearProto "CLEAR_PROTO" "clear takes one argument."
        ClearAggarg "CLEAR_AGGARG" "clear needs an aggregation as its argument."
        ClearAggbad "CLEAR_AGGBAD" "The aggregation given to clear was never filled."
        NormalizeProto "NORMALIZE_PROTO" "The number of arguments of normalize is wrong."
        NormalizeScalar "NORMALIZE_SCALAR" "The divisor of normalize is not a scalar."
        NormalizeAggarg "NORMALIZE_AGGARG" "normalize needs an aggregation as its first argument."
        NormalizeAggbad "NORMALIZE_AGGBAD" "The aggregation given to normalize was never filled."
        TruncAggarg "TRUNC_AGGARG" "trunc needs an aggregation as its first argument."
        TruncAggbad "TRUNC_AGGBAD" "The aggregation given to trunc was never filled."
        ProvBadname "PROV_BADNAME" "The name of a provider is not valid."
        ProvIncompat "PROV_INCOMPAT" "A provider declaration does not agree with the existing provider."
        ProvPrdup "PROV_PRDUP" "A provider declares a probe twice."
        ProvPrarglen "PROV_PRARGLEN" "A provider's probe has too many arguments."
        ProvPrxlator "PROV_PRXLATOR" "An argument of a provider's probe needs a translator that does not exist."
        FreopenInvalid "FREOPEN_INVALID" "freopen was given a name that cannot be opened."
    }
    Illumos {
        CommComm "COMM_COMM" "A clause may commit once only."
        Noreg "NOREG" "An expression needs more registers than there are."
        TruncProto "TRUNC_PROTO" "The number of arguments of trunc is wrong."
        TruncScalar "TRUNC_SCALAR" "The count given to trunc is not a scalar."
        TraceAgg "TRACE_AGG" "trace cannot record an aggregation."
        TracememArgs "TRACEMEM_ARGS" "The number of arguments of tracemem is wrong."
        TracememDynsize "TRACEMEM_DYNSIZE" "The dynamic size given to tracemem is not an integer."
        PrintVoid "PRINT_VOID" "print cannot show a void value."
        PrintDyn "PRINT_DYN" "print cannot show a value of dynamic type."
        PrintAgg "PRINT_AGG" "print cannot show an aggregation."
        PrintmAddr "PRINTM_ADDR" "The address given to printm is neither a pointer nor an integer."
        PrintmSize "PRINTM_SIZE" "The size given to printm is not a positive integer constant."
        LlquantFactoreven "LLQUANT_FACTOREVEN" "The steps of llquantize do not divide the factor's powers evenly."
        LlquantFactormatch "LLQUANT_FACTORMATCH" "The factor of llquantize is not the one used before."
        LlquantFactornsteps "LLQUANT_FACTORNSTEPS" "The factor of llquantize is larger than the number of steps."
        LlquantFactorsmall "LLQUANT_FACTORSMALL" "The factor of llquantize is below two."
        LlquantHightype "LLQUANT_HIGHTYPE" "The high magnitude of llquantize is not an integer constant."
        LlquantHighval "LLQUANT_HIGHVAL" "The high magnitude of llquantize does not fit 16 bits."
        LlquantHighmatch "LLQUANT_HIGHMATCH" "The high magnitude of llquantize is not the one used before."
        LlquantLowtype "LLQUANT_LOWTYPE" "The low magnitude of llquantize is not an integer constant."
        LlquantLowval "LLQUANT_LOWVAL" "The low magnitude of llquantize does not fit 16 bits."
        LlquantLowmatch "LLQUANT_LOWMATCH" "The low magnitude of llquantize is not the one used before."
        LlquantMagrange "LLQUANT_MAGRANGE" "The high magnitude of llquantize is not above the low one."
        LlquantMagtoobig "LLQUANT_MAGTOOBIG" "The highest bucket of llquantize does not fit 64 bits."
        LlquantNsteptype "LLQUANT_NSTEPTYPE" "The number of steps of llquantize is not an integer constant."
        LlquantNstepval "LLQUANT_NSTEPVAL" "The number of steps of llquantize does not fit 16 bits."
        LlquantNstepmatch "LLQUANT_NSTEPMATCH" "The number of steps of llquantize is not the one used before."
    }
    Oracle {
        AllocaSize "ALLOCA_SIZE" "The size given to alloca is larger than scratch memory."
        AllocaIncompat "ALLOCA_INCOMPAT" "A pointer into alloca memory is mixed with one that is not."
        ArrBounds "ARR_BOUNDS" "A constant array index lies outside the array."
        PcapAddr "PCAP_ADDR" "The packet given to pcap is neither a pointer nor an integer."
        PcapProto "PCAP_PROTO" "The protocol given to pcap is not an integer."
        PcapSize "PCAP_SIZE" "The size of a packet for pcap is not valid."
        PrintSize "PRINT_SIZE" "The value given to print is larger than print allows."
        LlquantLmagtype "LLQUANT_LMAGTYPE" "The low magnitude of llquantize is not an integer constant."
        LlquantLmagval "LLQUANT_LMAGVAL" "The low magnitude of llquantize does not fit 16 bits."
        LlquantHmagtype "LLQUANT_HMAGTYPE" "The high magnitude of llquantize is not an integer constant."
        LlquantHmagval "LLQUANT_HMAGVAL" "The high magnitude of llquantize does not fit 16 bits."
        LlquantSteptype "LLQUANT_STEPTYPE" "The number of steps of llquantize is not an integer constant."
        LlquantStepval "LLQUANT_STEPVAL" "The number of steps of llquantize is not valid."
        LlquantMatchfactor "LLQUANT_MATCHFACTOR" "The factor of llquantize is not the one used before."
        LlquantMatchlmag "LLQUANT_MATCHLMAG" "The low magnitude of llquantize is not the one used before."
        LlquantMatchhmag "LLQUANT_MATCHHMAG" "The high magnitude of llquantize is not the one used before."
        LlquantMatchsteps "LLQUANT_MATCHSTEPS" "The number of steps of llquantize is not the one used before."
    }
}

impl Tag {
    /// The tag of that name, with or without the leading `D_`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Tag> {
        let name = name.strip_prefix("D_").unwrap_or(name);
        Tag::ALL.iter().copied().find(|t| &t.name()[2..] == name)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_again() {
        for &tag in Tag::ALL {
            assert_eq!(Tag::from_name(tag.name()), Some(tag));
            assert!(tag.gloss().ends_with('.'), "{tag}");
        }
        assert_eq!(Tag::from_name("SYNTAX"), Some(Tag::Syntax));
        assert_eq!(Tag::from_name("D_NONSENSE"), None);
        assert_eq!(Tag::CommComm.dialect(), Dialect::Illumos);
        assert_eq!(Tag::ArrBounds.dialect(), Dialect::Oracle);
    }
}
