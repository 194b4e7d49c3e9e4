import type { Reply, Request } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/**
 * A cookie that browsers send only to this host and only over https, as they do with a name that begins with `__Host-`.
 * Over plain http, for trying the site out, the name has no such prefix. Scripts cannot read it.
 */
export function hostCookie(name: string, maxAgeMs?: number) {
  const isSecure = (settings: Settings) => settings.baseUrl.startsWith('https://');
  const nameAt = (settings: Settings) => (isSecure(settings) ? `__Host-${name}` : name);
  // Used for clearing too: a browser does not clear a `__Host-` cookie with other attributes.
  const attributesAt = (settings: Settings) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(settings) }) as const;
  return {
    set(reply: Reply, settings: Settings, value: string): void {
      const lifetime = maxAgeMs === undefined ? {} : { maxAge: maxAgeMs / 1000 };
      reply.setCookie(nameAt(settings), value, { ...attributesAt(settings), ...lifetime });
    },
    clear(reply: Reply, settings: Settings): void {
      reply.clearCookie(nameAt(settings), attributesAt(settings));
    },
    read(request: Request, settings: Settings): string | undefined {
      const { cookie } = request.headers;
      return cookie === undefined ? undefined : request.server.parseCookie(cookie)[nameAt(settings)];
    },
  };
}
