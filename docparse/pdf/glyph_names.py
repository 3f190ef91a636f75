"""What glyphs are called that pdfium does not know by their names: ligatures, and the signs of TeX's fonts.

The names of TeX's signs are those of the American Mathematical Society's Type 1 fonts, in the order of their codes.
Programs that make PDFs of them may give the glyphs other codes: the names still tell which they are.
"""

from __future__ import annotations

import string

from docparse.pdf.glyphs import OML, OMS, OMX

CMSY = (
    "minus periodcentered multiply asteriskmath divide diamondmath plusminus minusplus circleplus circleminus"
    " circlemultiply circledivide circledot circlecopyrt openbullet bullet equivasymptotic equivalence reflexsubset"
    " reflexsuperset lessequal greaterequal precedesequal followsequal similar approxequal propersubset propersuperset"
    " lessmuch greatermuch precedes follows arrowleft arrowright arrowup arrowdown arrowboth arrownortheast"
    " arrowsoutheast similarequal arrowdblleft arrowdblright arrowdblup arrowdbldown arrowdblboth arrownorthwest"
    " arrowsouthwest proportional prime infinity element owner triangle triangleinv negationslash mapsto universal"
    " existential logicalnot emptyset Rfractur Ifractur latticetop perpendicular aleph"
    f" {' '.join(string.ascii_uppercase)} union intersection unionmulti logicaland logicalor turnstileleft"
    " turnstileright floorleft floorright ceilingleft ceilingright braceleft braceright angbracketleft angbracketright"
    " bar bardbl arrowbothv arrowdblbothv backslash wreathproduct radical coproduct nabla integral unionsq"
    " intersectionsq subsetsqequal supersetsqequal section dagger daggerdbl paragraph club diamond heart spade"
)
PAIRS = ("paren", "bracket", "floor", "ceiling", "brace", "angbracket")  # that TeX has in four sizes
BIGGER = ("text", "display")  # sizes of operators


def _pairs(size: str, kinds: tuple[str, ...] = PAIRS) -> list[str]:
    return [kind + side + size for kind in kinds for side in ("left", "right")]


def _operators(names: str) -> list[str]:
    return [name + size for name in names.split() for size in BIGGER]


_RUN = ["summation", "product", "integral", "union", "intersection", "unionmulti", "logicaland", "logicalor"]
CMEX = [
    *_pairs("big"), "vextendsingle", "vextenddouble", "slashbig", "backslashbig", "parenleftBig", "parenrightBig",
    *_pairs("bigg"), "slashbigg", "backslashbigg", *_pairs("Bigg"), "slashBigg", "backslashBigg", "slashBig",
    "backslashBig", "parenlefttp", "parenrighttp", "bracketlefttp", "bracketrighttp", "bracketleftbt",
    "bracketrightbt", "bracketleftex", "bracketrightex", "bracelefttp", "bracerighttp", "braceleftbt", "bracerightbt",
    "braceleftmid", "bracerightmid", "braceex", "arrowvertex", "parenleftbt", "parenrightbt", "parenleftex",
    "parenrightex", "angbracketleftBig", "angbracketrightBig", *_operators("unionsq contintegral circledot"),
    *_operators("circleplus circlemultiply"), *(name + "text" for name in _RUN), *(name + "display" for name in _RUN),
    *_operators("coproduct"), "hatwide", "hatwider", "hatwidest", "tildewide", "tildewider", "tildewidest",
    *_pairs("Big", ("bracket", "floor", "ceiling", "brace")), "radicalbig", "radicalBig", "radicalbigg", "radicalBigg",
    "radicalbt", "radicalvertex", "radicaltp", "arrowvertexdbl", "arrowtp", "arrowbt", "bracehtipdownleft",
    "bracehtipdownright", "bracehtipupleft", "bracehtipupright", "arrowdbltp", "arrowdblbt",
]  # fmt: skip
CMMI = (  # without the letters and figures that stand behind them
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega alpha beta gamma delta epsilon1 zeta eta theta iota"
    " kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega epsilon theta1 pi1 rho1 sigma1 phi1"
    " arrowlefttophalf arrowleftbothalf arrowrighttophalf arrowrightbothalf arrowhookleft arrowhookright triangleright"
    " triangleleft"
)
NAMES = {"f_f": "ﬀ", "f_i": "ﬁ", "f_l": "ﬂ", "f_f_i": "ﬃ", "f_f_l": "ﬄ", "s_t": "ﬆ"}
NAMES |= {"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ", "endash": "–", "emdash": "—"}
NAMES |= {"quotedblleft": "“", "quotedblright": "”", "lessorequalslant": "⩽", "greaterorequalslant": "⩾"}
# of Mathematical Pi and Universal Greek, whose names are numbers of Linotype's
NAMES |= {"H9252": "β", "H11002": "−", "H11005": "=", "H11021": "<", "H11349": "≤", "H11350": "≥", "H20906": "√"}
NAMES |= {"H11546": "−", "H11549": "=", "H11554": "·"}
NAMES |= dict(zip(CMEX, OMX, strict=True)) | dict(zip(CMSY.split(), OMS, strict=True))
NAMES |= dict(zip(CMMI.split(), OML, strict=False)) | {"lscript": "ℓ", "weierstrass": "℘", "partialdiff": "∂"}
