/** An access token, as a store keeps it. Keep it like a password. */
export type StoredToken = { accessToken: string; validTo: string };

/** Where several processes of yours share an access token. Without one, each process gets its own, which is allowed. */
export type TokenStore = {
  load(): Promise<StoredToken | undefined>;
  save(token: StoredToken): Promise<void>;
};

/** Gives each call its access token. */
export type Tokens = {
  /** A token that works, as far as we know here. */
  current(): Promise<string>;
  /** Gets a new token in place of the one that the site refused. */
  renew?: (refused: string) => Promise<string>;
};

/** A token that the user passed in. It is never refreshed. */
export function fixedToken(accessToken: string): Tokens {
  return { current: async () => accessToken };
}

/** A new token is asked for when the old one has this long to live, so that none ends on its way. */
const marginMs = 60_000;

/** Gets access tokens with a refresh token. If several calls need a new one at once, the site is asked once. */
export function refreshedTokens(refresh: () => Promise<StoredToken>, store?: TokenStore): Tokens {
  let known: StoredToken | undefined;
  let inFlight: Promise<string> | undefined;

  const livesLongEnough = (token: StoredToken | undefined): token is StoredToken =>
    token !== undefined && Date.parse(token.validTo) - Date.now() > marginMs;

  async function getNew(refused?: string): Promise<string> {
    const stored = await store?.load();
    if (livesLongEnough(stored) && stored.accessToken !== refused) {
      known = stored;
    } else {
      known = await refresh();
      await store?.save(known);
    }
    return known.accessToken;
  }

  function getNewOnce(refused?: string): Promise<string> {
    inFlight ??= getNew(refused).finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  }

  return {
    current: async () => (livesLongEnough(known) ? known.accessToken : getNewOnce()),
    // Another call may have got a new one while this one was on its way.
    renew: async (refused) =>
      known && known.accessToken !== refused ? known.accessToken : getNewOnce(refused),
  };
}
