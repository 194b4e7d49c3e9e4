import { dayMs } from '../platform/durations.ts';
import { type App, anyone } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';

const path = '/.well-known/security.txt';

/** Readers should not trust an old copy (RFC 9116, section 2.5.5). Each request gets a new one. */
const validForMs = 180 * dayMs;

/** Tells people who found a weakness in the security of the site whom to write to. */
export function securityText(app: App, { settings, clock }: Pick<Platform, 'settings' | 'clock'>): void {
  app.get(path, { config: { access: anyone }, schema: { hide: true } }, (_request, reply) => {
    const expires = new Date(clock.now().getTime() + validForMs);
    const lines = [
      `Contact: ${contactIn(settings)}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${settings.baseUrl}${path}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

function contactIn({ securityContact, operatorContact = '', baseUrl }: Settings): string {
  const [email] = /[^\s@<>,;()]+@[^\s@<>,;()]+/.exec(operatorContact) ?? [];
  return securityContact ?? (email ? `mailto:${email}` : `${baseUrl}/`);
}
