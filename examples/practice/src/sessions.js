import { randomBytes } from 'node:crypto';

// Who is signed in, in memory: after a restart everybody signs in again, which takes one click if they are still signed
// in at the site.

/**
 * @typedef {object} Session
 * @property {string} [state] Of a sign-in that has begun.
 * @property {import('@onward/client').Onward} [onward] Calls as this user.
 * @property {{ name: string, organisation: string }} [user]
 */

const cookieName = 'practice';

export function createSessions() {
  /** @type {Map<string, Session>} */
  const sessions = new Map();

  return {
    /**
     * @param {import('node:http').IncomingMessage} request
     * @returns {Session | undefined}
     */
    of(request) {
      const cookie = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '');
      return cookie ? sessions.get(cookie[1] ?? '') : undefined;
    },
    /**
     * Begins a session. An old one is not continued, so that nobody can hand theirs to somebody else.
     * @param {Session} session
     * @param {boolean} secure
     * @returns {string} the header that sets the cookie.
     */
    begin(session, secure) {
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, session);
      return `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    },
    /** @param {Session} session */
    end(session) {
      for (const [id, each] of sessions) if (each === session) sessions.delete(id);
    },
  };
}

/** @typedef {ReturnType<typeof createSessions>} Sessions */
