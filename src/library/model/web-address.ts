const mustBeWebAddress = 'must be a web address that begins with https:// or http://';

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers pass over them, so “java\tscript:” is a script.
const ignoredByBrowsers = /[\u0000-\u0020\u007f-\u00a0]/g;
/** A host such as example.org:8080 has a dot before its colon. */
const otherScheme = /^(?!https?:|urn:)[a-z][a-z\d+-]*:/i;
/** Browsers read `https:host` and `//host` as addresses; a reader does not. */
const halfAScheme = /^(?:https?:(?!\/\/)|\/\/)/i;
/** What nearly all are like, and nothing is wrong with: to read each as a URL took half of the time of an import’s checks. */
const usual = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#]|$)/i;
/** `www.example.org/help`, as people write it. */
const bareHost = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * What is wrong with an address: it leads elsewhere than to a web page (to a script, say, or to data that a browser would show
 * as one), cannot be read, or tells a password. A name such as `urn:…`, as vocabularies have, leads nowhere, as words do.
 */
export function errorInWebAddress(address: string): string | undefined {
  if (usual.test(address)) return undefined;
  const read = address.slice(0, 2000).replaceAll(ignoredByBrowsers, '');
  if (otherScheme.test(read) || halfAScheme.test(read)) return mustBeWebAddress;
  if (/^https?:/i.test(read) && !URL.canParse(address))
    return 'must be a web address such as https://example.org/help';
  return hasCredentials(read) ? 'must have no user name or password before the host' : undefined;
}

/** Whether it is one such as `https://name:password@example.org`, which gives them to whoever follows it. */
export function hasCredentials(address: string): boolean {
  const url = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && (url.username !== '' || url.password !== '');
}

/** “www.example.org/help” is meant as a web address, and none without its scheme. */
export function withScheme(text: string): string {
  return bareHost.test(text.trim()) ? `https://${text.trim()}` : text;
}

/** Whether it leads to a web page. */
export function isWebAddress(address: string): boolean {
  return errorInWebAddress(address) === undefined && /^https?:/i.test(address) && URL.canParse(address);
}
