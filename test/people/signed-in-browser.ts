import { parse } from 'node-html-parser';
import { anAccount, testPassword } from '../app/builders.ts';
import type { TestApp } from '../app/make-app.ts';

type Form = Record<string, string | string[]>;

/** Somebody signed in, who opens pages and sends forms as a browser does, without a port to listen on. */
export async function signedInBrowser(site: TestApp, given: Parameters<typeof anAccount>[1] = {}) {
  const account = await anAccount(site.deps, given);
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };

  async function send(url: string, form?: Form) {
    const pairs = Object.entries(form ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    const answer = await site.app.inject({
      url,
      method: form ? 'POST' : 'GET',
      headers: { ...headers, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { payload: new URLSearchParams(pairs).toString() }),
    });
    const page = parse(answer.body);
    return {
      status: answer.statusCode,
      location: answer.headers.location,
      page,
      text: page.querySelector('main')?.structuredText ?? '',
      cookie: answer.headers['set-cookie'],
    };
  }

  const signIn = async () => {
    const { cookie } = await send('/signin', { email: account.email, password: testPassword });
    headers.cookie = String(cookie).split(';')[0]!;
  };
  await signIn();
  return { ...account, headers, signIn, open: (url: string) => send(url), send };
}
