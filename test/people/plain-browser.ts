import type { App } from '../../src/platform/http/index.ts';
import { testPassword } from '../app/builders.ts';

/** A browser that keeps its cookies and goes nowhere by itself, so that a test sees every step. */
export function plainBrowser(app: App) {
  const cookies = new Map<string, string>();

  async function send(method: 'GET' | 'POST', url: string, headers: object, payload?: string) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.inject({
      method,
      url,
      headers: { cookie, ...headers },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  const postForm = (url: string, form: URLSearchParams, headers: object = {}) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return send('POST', url, { ...type, ...headers }, form.toString());
  };
  const post = (url: string, form: Record<string, string>, headers: object = {}) =>
    postForm(url, new URLSearchParams(form), headers);

  return {
    cookies,
    get: (url: string, headers: object = {}) => send('GET', url, headers),
    post,
    /** The same for a form with several fields of one name. */
    postForm,
    /** Sends a form that has just a file. */
    postFile(url: string, content: string) {
      const boundary = 'the-boundary';
      const part = `Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv`;
      return send(
        'POST',
        url,
        { 'content-type': `multipart/form-data; boundary=${boundary}`, 'sec-fetch-site': 'same-origin' },
        `--${boundary}\r\n${part}\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      );
    },
    /** Sends what a page's script sends. */
    postJson(url: string, body: object = {}) {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      return send('POST', url, headers, JSON.stringify(body));
    },
    /** Signs in, on the way to `next` where that is given. @returns where the site then leads to. */
    async signIn(email: string, next?: string): Promise<string> {
      const answer = await post('/signin', { email, password: testPassword, ...(next && { next }) });
      return String(answer.headers.location);
    },
  };
}
