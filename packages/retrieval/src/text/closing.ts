/** What may follow the stop at the end of a sentence: `„Ja.“`, `« Oui. »`, `「はい。」`, `*Yes.*` */
export const CLOSING = "(?:[)\\]\"'\u2019\u201c\u201d\u00bb\u203a\u300d\u300f\uff09*_]|[ \u00a0\u202f][\u00bb\u203a])"
