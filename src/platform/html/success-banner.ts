import { Type } from 'typebox';

/**
 * The success messages of a page, which it shows after a form has led to it. `?done=` names one by its code. The layout shows the
 * words as a banner if the page is sent with `done`.
 */
export function successBanner<const Code extends string>(words: Readonly<Record<Code, string>>) {
  const codes = Object.keys(words) as Code[];
  return {
    /** For the page's query. Other codes are refused, so that no link can make a page say anything else. */
    query: Type.Optional(Type.Union(codes.map((code) => Type.Literal(code)))),
    words: (code: Code | undefined) => code && words[code],
    path: (page: string, code: Code) => `${page}?done=${code}`,
  };
}
