import type { Reply, Request } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/**
 * A cookie that is sent to this very host alone, and only over https: that is what browsers hold a name with `__Host-`
 * to. Plain http, for trying at home, has the same without it. Scripts cannot read it.
 */
export function hostCookie(name: string, maxAgeMs?: number) {
  const isSecure = (settings: Settings) => settings.baseUrl.startsWith('https://');
  const nameAt = (settings: Settings) => (isSecure(settings) ? `__Host-${name}` : name);
  // The same for setting and for clearing: a browser refuses to clear a `__Host-` cookie by any others.
  const rulesAt = (settings: Settings) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(settings) }) as const;
  return {
    set(reply: Reply, settings: Settings, value: string): void {
      const lasting = maxAgeMs === undefined ? {} : { maxAge: maxAgeMs / 1000 };
      reply.setCookie(nameAt(settings), value, { ...rulesAt(settings), ...lasting });
    },
    clear(reply: Reply, settings: Settings): void {
      reply.clearCookie(nameAt(settings), rulesAt(settings));
    },
    of(request: Request, settings: Settings): string | undefined {
      const { cookie } = request.headers;
      return cookie === undefined ? undefined : request.server.parseCookie(cookie)[nameAt(settings)];
    },
  };
}
