"""Georgian in Latin letters by the national system of 2002, without its apostrophes, as it is typed."""

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import Respelling, table

_ROMANISED = Respelling(
    table(
        "ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh "
        "ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h"
    )
)


def romanised(text: str) -> str:
    """Return the text in Latin letters."""
    return _ROMANISED(nfc(text))
