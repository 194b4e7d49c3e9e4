import { type HTMLElement, parse } from 'node-html-parser';

export type Visit = {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly html: string;
  readonly page: HTMLElement;
  /** The page's words, without its markup. */
  readonly text: string;
};

/**
 * A person with a browser that has no JavaScript: follows links, fills in forms, keeps cookies. `origin` is what the
 * address bar would show, where a proxy stands before the site.
 */
export function pageVisitor(baseUrl: string, origin: string = new URL(baseUrl).origin) {
  const cookies = new Map<string, string>();

  async function go(method: 'GET' | 'POST', path: string, form?: URLSearchParams): Promise<Visit> {
    const url = new URL(path, baseUrl);
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'POST' && { origin }),
      },
      ...(form && { body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) remember(cookie);
    const location = answer.headers.get('location');
    if (answer.status === 303 && location) return go('GET', location);
    const html = answer.headers.get('content-type')?.startsWith('text/html') ? await answer.text() : '';
    const page = parse(html);
    const text = page.querySelector('main')?.structuredText ?? '';
    return {
      status: answer.status,
      url: url.pathname + url.search,
      headers: answer.headers,
      html,
      page,
      text,
    };
  }

  function remember(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    cookies,
    visit: (path: string) => go('GET', path),
    /** Sends a form of a page, with some fields filled in. `which` is the form's action. */
    submit(visit: Visit, which: string, fields: Record<string, string | string[]>): Promise<Visit> {
      const goal = (form: HTMLElement) => new URL(form.getAttribute('action') ?? visit.url, baseUrl);
      const form = visit.page.querySelectorAll('form').find((each) => goal(each).pathname === which);
      if (!form) throw new Error(`${visit.url} has no form that goes to ${which}`);
      const body = new URLSearchParams(untouchedFields(form));
      for (const [name, value] of Object.entries(fields)) {
        body.delete(name);
        for (const each of [value].flat()) body.append(name, each);
      }
      return go('POST', goal(form).href, body);
    },
    async signIn({ email, password }: { email: string; password: string }): Promise<Visit> {
      return this.submit(await go('GET', '/signin'), '/signin', { email, password });
    },
    /** The bytes behind a link, such as a letter. */
    async download(path: string): Promise<{ type: string | null; body: Buffer }> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(new URL(path, baseUrl), { headers: { cookie } });
      return { type: answer.headers.get('content-type'), body: Buffer.from(await answer.arrayBuffer()) };
    },
  };
}

/** The names and values that a browser sends of a form in which nobody has changed anything. */
export function untouchedFields(form: HTMLElement): [string, string][] {
  return form.querySelectorAll('input, textarea, select').flatMap((field): [string, string][] => {
    const name = field.getAttribute('name');
    const type = field.getAttribute('type');
    const choosable = type === 'radio' || type === 'checkbox';
    if (!name || (choosable && !field.hasAttribute('checked'))) return [];
    if (field.tagName === 'TEXTAREA') return [[name, field.text]];
    if (field.tagName !== 'SELECT') return [[name, field.getAttribute('value') ?? '']];
    const chosen = field.querySelector('option[selected]') ?? field.querySelector('option');
    return [[name, chosen?.getAttribute('value') ?? '']];
  });
}
