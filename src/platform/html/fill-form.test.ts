import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import type { UnsentForm } from '../http/index.ts';
import { type FilledForm, fillForm } from './fill-form.ts';

const page = (form: string) => `<!doctype html><body><main>${form}</main><footer>End</footer></body>`;
const form = (fields: string, button = '<button>Save</button>') =>
  page(`<form method="post" action="/save">${fields}${button}</form>`);

function fill(html: string, fields: UnsentForm['fields'], more: Partial<UnsentForm> = {}) {
  let told: FilledForm | undefined;
  const unsent = { id: 'id', action: '/save', fields, notKept: undefined, ...more };
  const banner = (words: FilledForm) => {
    told = words;
    return '<p>Signed in again</p>';
  };
  const filled = fillForm(html, { path: '/save?unsent_form=1', unsent, banner });
  return { html: filled, root: parse(filled), told: told! };
}
const typedIn = (root: ReturnType<typeof parse>, name: string) =>
  root.querySelector(`[name=${name}]`)!.getAttribute('value');

describe('a form that is filled in again', () => {
  it('has every text as it was typed, whatever its characters', () => {
    const text = "</textarea><script>\"&quot; \\ & 'ü'";
    const { root } = fill(form('<input name="a"><textarea name="b">old</textarea>'), { a: text, b: text });
    expect(typedIn(root, 'a')).toBe(text);
    expect(root.querySelector('textarea')!.text).toBe(text);
    expect(root.querySelectorAll('script')).toEqual([]);
  });

  it('has what was chosen, and nothing else', () => {
    const { root } = fill(
      form(`<input type="checkbox" name="c" value="1" checked><input type="checkbox" name="c" value="2">
        <input type="radio" name="r" value="x" checked><input type="radio" name="r" value="y">
        <select name="s"><option value="" selected>None</option><option value="k">K</option></select>`),
      { c: '2', r: 'y', s: 'k' },
    );
    expect(root.querySelectorAll('[checked], [selected]').map((each) => each.getAttribute('value'))).toEqual([
      '2',
      'y',
      'k',
    ]);
  });

  it('keeps the order of fields that have one name', () => {
    const { root } = fill(form('<input name="n"><input name="n"><input name="n">'), { n: ['1', '', '3'] });
    expect(root.querySelectorAll('[name=n]').map((each) => each.getAttribute('value'))).toEqual([
      '1',
      undefined,
      '3',
    ]);
  });

  it('opens the folded part in which something was entered', () => {
    const fold = (name: string) => `<details><summary>More</summary><input name="${name}"></details>`;
    const { root } = fill(form(fold('a') + fold('b')), { a: 'typed', b: '' });
    expect(root.querySelectorAll('details').map((each) => each.hasAttribute('open'))).toEqual([true, false]);
  });

  it('leaves passwords and files empty', () => {
    const { root } = fill(form('<input type="password" name="p"><input type="file" name="f">'), {
      p: 'x',
      f: 'y',
    });
    expect([typedIn(root, 'p'), typedIn(root, 'f')]).toEqual([undefined, undefined]);
  });

  it('is found by its hidden fields where each row has one', () => {
    const row = (id: string) =>
      `<form method="post" action="/save"><input type="hidden" name="id" value="${id}"><input name="note"><button>Save ${id}</button></form>`;
    const { root, told } = fill(page(row('1') + row('2')), { id: '2', note: 'Mine' });
    expect(root.querySelectorAll('[name=note]').map((each) => each.getAttribute('value'))).toEqual([
      undefined,
      'Mine',
    ]);
    expect(told.button).toBe('Save 2');
  });

  it('keeps the version that its writer had read', () => {
    const { root } = fill(form('<input type="hidden" name="version" value="8"><input name="a">'), {
      version: '7',
      a: 'b',
    });
    expect(typedIn(root, 'version')).toBe('7');
  });

  it.each([
    ['the button that was pressed', form('<input name="a">'), {}, { button: 'Save', hasFields: true }],
    [
      'a button that sends it elsewhere',
      page(
        '<form method="post" action="/find"><button>Find</button><button formaction="/save">Hold</button></form>',
      ),
      {},
      { button: 'Hold', hasFields: false },
    ],
    [
      'one of two buttons by its value',
      form('', '<button name="do" value="a">First</button><button name="do" value="b">Second</button>'),
      { do: 'b' },
      { button: 'Second' },
    ],
    [
      'that it has no address but the page’s',
      page('<form method="post"><button>Go</button></form>'),
      {},
      { button: 'Go' },
    ],
    ['that a field is gone', form('<input name="a">'), { a: '1', b: '2' }, { isPartial: true }],
    ['that the form is gone', page('<p>Nothing</p>'), { a: '1' }, { button: undefined }],
  ])('says above it %s', (_what, html, fields, expected) => {
    const filled = fill(html, fields);
    expect(filled.told).toMatchObject(expected);
    expect(filled.html).toMatch(/<main><p>Signed in again<\/p>/);
    expect(filled.html).toMatch(/^<!doctype html>.*<footer>End<\/footer><\/body>$/s);
  });
});
