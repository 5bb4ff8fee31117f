"""Arabic as it is typed in a hurry: no hamza, no madda, no vowel marks.

ى and ة stay. Who types them as ي and ه differs from country to country, and it changes no script class; a writer who
would type them so corrects the text.
"""

from curation.retrieval.folding import nfc
from curation.retrieval.letters import ARABIC_MARKS

_CARRIERS = {"آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ؤ": "و", "ئ": "ي"}
_TATWEEL = "\u0640"  # a stroke that lengthens a word for the eye
_TYPED = str.maketrans(dict.fromkeys([*ARABIC_MARKS, _TATWEEL], "") | _CARRIERS)


def without_hamza(text: str) -> str:
    """Return the text with bare carriers (أ إ آ ٱ as ا, ؤ as و, ئ as ي), without ء, vowel marks and tatweel."""
    return nfc(text).translate(_TYPED)
