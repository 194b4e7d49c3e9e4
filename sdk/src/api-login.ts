import { siteAddress } from './site-address.ts';

// Signing in users who each have an account on the site. A token that comes back is the user's own: never log the address.

export type SignIn = {
  /** Send the browser here. */
  url: string;
  /** Keep this for this browser, in its session or in a cookie, until it comes back. */
  state: string;
};

export const apilogin = {
  /**
   * Begins the sign-in of a user. `returnUrl` is registered at the site; the user comes back to it. With `formPost` the token comes
   * in a form that is posted there, and so in no address. Your cookie then has to be `SameSite=None; Secure`.
   */
  start({
    site,
    returnUrl,
    formPost = false,
  }: {
    site: string | URL;
    returnUrl: string | URL;
    formPost?: boolean | undefined;
  }): SignIn {
    const state = crypto.randomUUID();
    const back = addressOf(returnUrl);
    back.searchParams.append('state', state);
    const url = new URL(`${siteAddress(site)}/apilogin`);
    url.searchParams.set('returnUrl', back.href);
    if (formPost) url.searchParams.set('response_mode', 'form_post');
    return { url: url.href, state };
  },

  /**
   * Ends it, with the request that the browser came back with, or its address, and the state that you kept for this browser. A
   * server that has read the posted form already passes its fields as `form`.
   * @returns what `new Onward({ auth })` takes; it works for 180 minutes and cannot be refreshed
   * @throws Error when the request does not belong to a sign-in that this browser began
   */
  async finish(
    request: Request | URL | string,
    state: string | undefined,
    form?: Readonly<Record<string, unknown>>,
  ): Promise<{ accessToken: string }> {
    const url = request instanceof Request ? request.url : request;
    // Servers often know only the path.
    const query = new URL(url, 'http://localhost').searchParams;
    if (!state || query.get('state') !== state)
      throw new Error('This browser has not begun the sign-in, or has finished it already.');
    const isPost = request instanceof Request && request.method === 'POST';
    const accessToken = form ? form.token : (isPost ? await request.formData() : query).get('token');
    if (typeof accessToken !== 'string') throw new Error('The browser came back without a token.');
    return { accessToken };
  },
};

function addressOf(returnUrl: string | URL): URL {
  try {
    return new URL(returnUrl);
  } catch {
    throw new TypeError('`returnUrl` must be a whole address, such as https://client.example.org/back');
  }
}
