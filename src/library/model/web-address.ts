const mustBeWebAddress = 'must be a web address that begins with https:// or http://';

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them, so “java\tscript:” is a script.
const ignoredByBrowsers = /[\u0000-\u0020\u007f-\u00a0]/g;
/** A scheme has no dot, so that example.org:8080 is not taken for one. */
const otherScheme = /^(?!https?:|urn:)[a-z][a-z\d+-]*:/i;
/** Browsers accept `https:host` and `//host`; people do not recognise them as addresses. */
const halfAScheme = /^(?:https?:(?!\/\/)|\/\/)/i;
/** `www.example.org/help`, as people write it. */
const bareHost = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * What is wrong with an address: it does not lead to a web page (but to a script, for example), cannot be parsed or contains
 * a password. Plain words and names such as `urn:…`, which vocabularies use, are not links and therefore harmless.
 */
export function errorInWebAddress(address: string): string | undefined {
  const read = address.slice(0, 2000).replaceAll(ignoredByBrowsers, '');
  if (otherScheme.test(read) || halfAScheme.test(read)) return mustBeWebAddress;
  if (/^https?:/i.test(read) && !URL.canParse(address))
    return 'must be a web address such as https://example.org/help';
  return hasCredentials(read) ? 'must have no user name or password before the host' : undefined;
}

/** Whether an address has a name and password, as in `https://name:password@example.org`: everybody who follows the link reads them. */
export function hasCredentials(address: string): boolean {
  const url = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && (url.username !== '' || url.password !== '');
}

/** Adds the scheme to an address such as “www.example.org/help”, as people write it. */
export function withScheme(text: string): string {
  return bareHost.test(text.trim()) ? `https://${text.trim()}` : text;
}

/** Whether an address leads to a web page. */
export function isWebAddress(address: string): boolean {
  return errorInWebAddress(address) === undefined && /^https?:/i.test(address) && URL.canParse(address);
}
