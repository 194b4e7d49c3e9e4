/**
 * The address of a site, without a slash at its end.
 * @throws TypeError that does not repeat the address, because there may be a password in it
 */
export function siteAddress(site: string | URL, insecureHttp = false): string {
  const { protocol, hostname, origin, username, password, pathname, search, hash } = parse(site);
  if (!/^https?:$/.test(protocol))
    throw new TypeError('`site` must begin with https://, or with http:// for a site on this computer.');
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (username || password || pathname !== '/' || search || hash)
    throw new TypeError('`site` is only the address of the site, such as https://onward.example.org');
  if (protocol !== 'https:' && !(protocol === 'http:' && (isLocal || insecureHttp)))
    throw new TypeError('`site` must begin with https://, unless it is on this computer.');
  return origin;
}

function parse(site: string | URL): URL {
  try {
    return new URL(site);
  } catch {
    throw new TypeError(
      '`site` must be an address that begins with https://, such as https://onward.example.org',
    );
  }
}
