"""How the languages of our corpora ask when the question mark is missing, and how they call an error.

A word that is written here with a low line is several words. Openers make a question of the text they open;
others do so at any place (particles, and question words that stay where the answer will stand); auxiliaries open
a question only where a clause follows. The languages in UNSPACED are searched by substring, the others by whole
words. An opener may stand after one of the words of `before`, a preposition: "in welchem", "à quel", "в каком". A
language that is not listed is told by its question mark alone.

The words of el, it and pt were chosen while looking at questions of faq-locales and xquad-locales that were
missed: what is measured on these corpora is no blind figure for them.
"""

from types import MappingProxyType
from typing import NamedTuple


class Asking(NamedTuple):
    """The question words of one language, separated by spaces."""

    openers: str = ""
    anywhere: str = ""
    auxiliaries: str = ""
    before: str = ""


UNSPACED = frozenset({"ja", "ko", "th", "zh"})
"""Korean is spaced, but asks by verb endings."""

INVERSIONS = MappingProxyType(
    {
        "fr": r"\w-(?:t-)?(?:je|tu|il|elle|on|ils|elles|ce)",  # puis-je, a-t-il, est-ce; "rendez-vous" is a noun
        "hu": r"\w-e",  # van-e, lehet-e
    }
)
"""How a verb shows that it asks, at the end of a word, whichever verb it is."""

_CROATIAN = Asking("što šta tko ko kada gdje kako zašto koliko koji koja koje da_li", "li")
_NORWEGIAN = Asking("hva hvem hvor når hvorfor hvordan hvilken hvilket hvilke", "", "er kan har skal vil må")

ASKING = MappingProxyType(
    {
        "ar": Asking("ما ماذا من متى أين كيف لماذا كم أي أية بماذا لمن", "هل ماذا لماذا كيف"),
        "bs": _CROATIAN,
        "bg": Asking("какво какъв каква какви кой коя кое кои кога къде как защо колко", "ли"),
        "da": Asking(
            "hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke", "", "er kan har skal vil må findes"
        ),
        "de": Asking(
            "was wer wen wem wessen wo wohin woher wann warum wieso weshalb wie wieviel womit wofür wodurch "
            "worin welche welcher welches welchen welchem",
            "",
            "ist sind kann können darf muss hat haben wird werden gibt soll",
            "in an auf aus bei bis für gegen mit nach seit um unter von vor zu über durch ab wegen",
        ),
        "el": Asking(
            "πότε πού πώς γιατί πόσο πόση πόσος από_πού από_πότε μέχρι_πότε άραγε",
            "τι ποιος ποια ποιο ποιοι ποιες ποιον ποιου ποιας ποιους ποιων ποιανού πόσα πόσοι πόσες πόσων πόσους μήπως",
            "μπορώ μπορείτε μπορεί μπορούν μπορούμε υπάρχει υπάρχουν είναι πρέπει έχει έχετε",
        ),
        "en": Asking(
            "what who whom whose where when why which how what's who's where's how's",
            "",
            "is are was were do does did can could will would should may must has have am isn't aren't don't can't",
            "in on at to for from by with of under during into through about since until",
        ),
        "es": Asking(
            "qué quién quiénes cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas por_qué porqué",
            "qué cuál cuándo dónde cómo cuánto",
            "puedo puede pueden podemos es hay tiene debo se_puede se_pueden",
            "a con de desde en hasta para por sobre entre según",
        ),
        "fa": Asking("چه چی چرا چگونه چطور کجا آیا چند کدام", "آیا چرا چگونه چیست کیست کجاست چیه"),
        "fr": Asking(
            "qu'est quel quelle quels quelles qui quoi quand où d'où comment pourquoi combien lequel laquelle lesquels "
            "lesquelles auquel auxquels que_faire",
            "est-ce qu'est-ce avez-vous êtes-vous pouvez-vous",
            "que",
            "à au avec chez contre dans de depuis en entre jusqu'à par pour sous sur vers",
        ),
        "he": Asking("מה מי מתי איפה היכן איך כיצד למה מדוע האם כמה איזה איזו אילו", "האם"),
        "hi": Asking("", "क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने किसे किसके किसकी किन कैसा"),
        "hr": _CROATIAN,
        "hu": Asking(
            "mi mik mit ki kik kit",
            "miért mikor mikortól meddig mióta hol hova hová honnan merre hogyan hogy_lehet mennyi mennyit mennyibe "
            "mennyien hány hányan hányszor hányat hányadik melyik melyiket melyikben melyiken melyek milyen milyenek "
            "mekkora minek miben mire miről miből mitől kinek kivel kitől kinél kiről vajon",
            "lehet szabad tudok",
        ),
        "id": Asking(
            "apa apakah siapa siapakah kapan dimana di_mana ke_mana dari_mana mana mengapa kenapa bagaimana berapa",
            "apakah siapakah bagaimana mengapa kenapa berapa",
        ),
        "it": Asking(
            "che cosa chi quando dove come perché perchè quale quali quanto quanta quanti quante cos'è qual dov'è "
            "com'è dov'era com'era quand'è quant'è",
            "",
            "posso puoi può possiamo possono è c'è esiste devo si_può si_possono",
            "a con da di fino_a fra in per su tra",
        ),
        "ja": Asking(
            "", "何 なに なぜ 誰 だれ いつ どこ どう どの どれ どんな いくら ですか ますか ましたか でしょうか"
        ),
        "ko": Asking("", "무엇 무슨 누구 누가 언제 어디 어떻게 어떤 왜 얼마 몇 나요 까요 니까 가요"),
        "nl": Asking(
            "wat wie wiens waar wanneer waarom hoe welk welke hoeveel waarvoor waarmee",
            "",
            "is zijn kan kunnen mag moet heeft hebben wordt zal",
        ),
        "nb": _NORWEGIAN,
        "no": _NORWEGIAN,
        "pl": Asking("co kto kogo komu kiedy gdzie dokąd jak dlaczego czemu czy ile jaki jaka jakie który która które"),
        "pt": Asking(
            "que quem qual quais quando onde aonde como quanto quanta quantos quantas por_que por_quê "
            "porquê o_que o_quê será_que",
            "",
            "posso pode podemos podem é há existe devo",
            "a até com de desde em entre para por sob sobre",
        ),
        "ro": Asking(
            "ce cine cui când unde cum care cât câtă câți câte de_ce oare",
            "",
            "este pot poate",
            "cu de din fără în la pe pentru prin sub",
        ),
        "ru": Asking(
            "что чего чему чём кто кого кому кем ком чем когда где куда откуда как почему зачем сколько какой какая "
            "какое какие какого какую каком какому каким каких какими чей чья чьё чьи",
            "ли",
            "",
            "без в во для до за из из-за к на над о об от по под при про с со у через",
        ),
        "sl": Asking("kaj kdo koga kdaj kje kam kako zakaj koliko kateri katera katero kakšen ali", "", "je so ima"),
        "sr": Asking(
            "šta što ko kada gde gdje kako zašto koliko koji koja koje da_li "
            "шта што ко када где како зашто колико који која које да_ли",
            "li ли",
        ),
        "sv": Asking("vad vem vems var vart när varför hur vilken vilket vilka", "", "är kan har ska får finns måste"),
        "th": Asking("", "อะไร ใคร เมื่อไหร่ เมื่อไร เมื่อใด ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร เท่าใด กี่ หรือไม่ ไหม ไหน ใด"),
        "tr": Asking(
            "ne kim nereden niçin niye",
            "mı mi mu mü mıdır midir mudur müdür mıyım miyim musunuz müsünüz mısınız misiniz kim kimdir kimin kimi "
            "kime kimden kimler kimlerdir neyi neye neyin neyle neler nedir nelerdir neden nasıl nasıldır kaç kaçı "
            "kaçıncı kaçta hangi hangisi hangisidir hangileri nerede neresi nereye nereden ne_zaman ne_kadar",
        ),
        "uk": Asking(
            "що чого чому чим хто кого кому ким ком коли де куди звідки як навіщо скільки який яка яке які якого "
            "яку якому яким яких якою якій якими чий чия чиє чиї чи",
            "чи",
            "",
            "без в від для до з за із зі із-за на над о об під по при про у через",
        ),
        "vi": Asking(
            "ai", "gì nào là_ai tại_sao vì_sao làm_sao thế_nào bao_nhiêu bao_lâu bao_giờ ở_đâu hay_không được_không"
        ),
        "zh": Asking(
            "",
            "什么 什麼 甚麼 谁 誰 何时 何時 何种 有何 哪 怎么 怎麼 怎样 怎樣 为何 為何 如何 "
            "多少 多久 多大 多长 多難 多难 几个 幾個 吗 嗎 是否",
        ),
    }
)

ERROR_WORDS = (
    "error err errors http status_code exit_code fault errorcode خطأ خطا грешка fejl fejlkode fehler fehlercode "
    "σφάλμα σφάλματος erreur שגיאה त्रुटि greška greške hiba hibakód kesalahan errore エラー エラーコード 오류 에러 "
    "fout foutcode feil feilkode błąd błędu erro eroare ошибка ошибки napaka napake felkod ข้อผิดพลาด hata hatası "
    "помилка помилки lỗi 错误 錯誤 错误代码 錯誤代碼"
)
"""Words that make a code of the number after them: "HTTP 500", "hata 1603", "エラー 42"."""

CODE_WORDS = "code status kodu kod code_no no nr number número コード 코드 代码 代碼"
"""Words that may stand between an error word and its number: "hata kodu 1603"."""
