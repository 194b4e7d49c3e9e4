/**
 * Whether a query has a parameter that some client could take for the token we append: `token` or `access_token` in any
 * spelling (percent-encoded, in capitals, `token[]`, `access.token`, full-width letters). The client might read that one,
 * and sign its user in with somebody else's token. A name that nobody can read counts as one too.
 */
export function findTokenParameter(query: string): boolean {
  // A semicolon separates parameters for some programs.
  return query.split(/[&;]/).some((part) => {
    const name = decodeWholly(part.split('=', 1)[0]!);
    return name === undefined || spellingsOf(name).some((each) => each === 'token' || each === 'accesstoken');
  });
}

/** Decoded until nothing is left to decode. Undefined where it is not UTF-8. */
function decodeWholly(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeWholly(decoded);
  } catch {
    // A percent sign of its own is left when “%2525” was decoded; it is no letter of any spelling.
    return /%(?![0-9a-f]{2})/i.test(text) ? decodeWholly(text.replaceAll('%', '')) : undefined;
  }
}

/** The name as lenient programs read it: what stands before a bracket, without marks, in small plain letters. */
function spellingsOf(name: string): string[] {
  const plain = name.normalize('NFKC').toLowerCase();
  return [plain, plain.split('[', 1)[0]!].map((each) => each.replaceAll(/[^a-z0-9]/g, ''));
}
