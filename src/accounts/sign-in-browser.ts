import type { Request } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { sessionIdOf } from './session.ts';

/** The browser that somebody signs in with. */
export type SignInBrowser = {
  address: string;
  /** What it says it is. Anybody can send anything: it is put into words of ours before it goes anywhere. */
  userAgent?: string | undefined;
  /** The session it has, which ends: what somebody planted in it must not become a signed-in one. */
  previousSessionId?: string | undefined;
};

/** The browser of this request, with the session that it comes with, if any. */
export function signInBrowser(request: Request, settings: Settings): SignInBrowser {
  const userAgent = request.headers['user-agent'];
  return { address: request.ip, userAgent, previousSessionId: sessionIdOf(request, settings) };
}
