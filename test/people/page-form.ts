import type { HTMLElement } from 'node-html-parser';
import type { signedInBrowser } from './signed-in-browser.ts';

type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

/** What a browser sends of an untouched form on the page. */
export function standing(page: HTMLElement): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = { terms: [] };
  for (const field of page.querySelectorAll('main form input, main form textarea, main form select')) {
    const name = field.getAttribute('name')!;
    const type = field.getAttribute('type');
    if (type === 'checkbox') {
      if (field.hasAttribute('checked')) (fields.terms as string[]).push(field.getAttribute('value')!);
    } else if (field.tagName === 'SELECT') {
      fields[name] = (field.querySelector('option[selected]') ?? field.querySelector('option'))!.getAttribute(
        'value',
      )!;
    } else {
      fields[name] = field.tagName === 'TEXTAREA' ? field.text : (field.getAttribute('value') ?? '');
    }
  }
  return fields;
}

/** Sends the form of an open page, with some fields filled in. */
export function submit(
  browser: Browser,
  { page }: { page: HTMLElement },
  fields: Record<string, string | string[]> = {},
) {
  const action = page.querySelector('main form[method=post]')!.getAttribute('action')!;
  return browser.send(action, { ...standing(page), ...fields });
}
