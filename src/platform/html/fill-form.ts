import { type HTMLElement, parse } from 'node-html-parser';
import { type UnsentForm, unsentFormField } from '../http/access.ts';
import { escapeHtml } from './markdown.ts';

/** What the page says above the form. */
export type FilledForm = {
  /** The words of the button that was pressed; undefined if the page does not have the form. */
  readonly button: string | undefined;
  /** The button that was pressed is on a later page, so this is the form that leads to it. */
  readonly isEarlierStep: boolean;
  /** The form has fields, and not just a button. */
  readonly hasFields: boolean;
  /** A field that was sent is not on the page any more. */
  readonly isPartial: boolean;
  readonly notKept: UnsentForm['notKept'];
};

/**
 * Fills the form of a page with what its writer had sent before they had to sign in again, and says so at the top of the page. It works on the
 * finished page, because it must do so for every form of the site, whatever its template calls the values.
 */
export function fillForm(
  page: string,
  { path, unsent, banner }: { path: string; unsent: UnsentForm; banner: (words: FilledForm) => string },
): string {
  const root = parse(page, { comment: true });
  const form = findForm(root, path, unsent);
  const pressed = form && pressedButton(form, path, unsent);
  // A button of a later step, such as one that confirms, is not on the page: then the form starts again with its first.
  const button = pressed ?? form?.querySelector('button') ?? undefined;
  const { hasFields, left } = form ? fill(form, unsent) : { hasFields: false, left: false };
  const words = {
    button: button && wordsOf(button),
    isEarlierStep: pressed === undefined,
    hasFields,
    isPartial: left,
    notKept: unsent.notKept,
  };
  if (form && form.getAttribute('enctype') !== 'multipart/form-data')
    form.insertAdjacentHTML(
      'afterbegin',
      `<input type="hidden" name="${unsentFormField}" value="${escapeHtml(unsent.id)}">`,
    );
  root.querySelector('main')?.insertAdjacentHTML('afterbegin', banner(words));
  return root.toString();
}

/**
 * The form that is sent to the same address, or leads to a page with that form (`data-leads-to`). Where a page has one for each row of a list, its
 * hidden fields tell which.
 */
function findForm(root: HTMLElement, path: string, { action, fields }: UnsentForm): HTMLElement | undefined {
  const forms = root
    .querySelectorAll('main form[method=post]')
    .filter((form) => addressesOf(form, path).some((address) => pathOf(address) === pathOf(action)));
  const isSame = (form: HTMLElement) =>
    form
      .querySelectorAll('input[type=hidden][name]')
      .every((each) =>
        textsOf(fields, each.getAttribute('name')!).includes(each.getAttribute('value') ?? ''),
      );
  return forms.find(isSame) ?? forms[0];
}

/** Where the form, its buttons and the page after it send it: to the page itself, if the form does not say. */
function addressesOf(form: HTMLElement, path: string): string[] {
  const buttons = form.querySelectorAll('button[formaction]').map((each) => each.getAttribute('formaction')!);
  const later = form.getAttribute('data-leads-to')?.split(' ') ?? [];
  return [form.getAttribute('action') ?? path, ...buttons, ...later];
}

const pathOf = (address: string) => address.split('?', 1)[0];

function textsOf(fields: UnsentForm['fields'], name: string): readonly string[] {
  const value = Object.hasOwn(fields, name) ? fields[name]! : [];
  return typeof value === 'string' ? [value] : value;
}

function pressedButton(
  form: HTMLElement,
  path: string,
  { action, fields }: UnsentForm,
): HTMLElement | undefined {
  const buttons = form.querySelectorAll('button');
  const wasPressed = (button: HTMLElement) => {
    const name = button.getAttribute('name');
    const address = button.getAttribute('formaction') ?? form.getAttribute('action') ?? path;
    return (
      pathOf(address) === pathOf(action) &&
      (name === undefined || textsOf(fields, name).includes(button.getAttribute('value') ?? ''))
    );
  };
  return buttons.find((each) => each.hasAttribute('name') && wasPressed(each)) ?? buttons.find(wasPressed);
}

/** What the button says to everybody, without the words for people who cannot see it. */
function wordsOf(button: HTMLElement): string {
  return button.text.replaceAll(/\s+/g, ' ').trim();
}

/** Sets every field that people fill in. Passwords and files stay empty, as they were not kept. */
function fill(form: HTMLElement, { fields }: UnsentForm): { hasFields: boolean; left: boolean } {
  const seen = new Map<string, number>();
  let hasFields = false;
  for (const control of form.querySelectorAll('input[name], select[name], textarea[name]')) {
    const name = control.getAttribute('name')!;
    const texts = textsOf(fields, name);
    const index = seen.get(name) ?? 0;
    seen.set(name, index + 1);
    const type = control.getAttribute('type') ?? '';
    if (['password', 'file', 'submit'].includes(type)) continue;
    if (type !== 'hidden') hasFields = true;
    // A hidden field keeps the version that its writer had read, so that a change by somebody else in between is still noticed.
    const isChanged = setControl(control, type, texts, index);
    if (isChanged && type !== 'hidden') openFolds(control);
  }
  for (const button of form.querySelectorAll('button[name]')) seen.set(button.getAttribute('name')!, 1);
  const left = Object.keys(fields).some((name) => textsOf(fields, name).some(Boolean) && !seen.has(name));
  return { hasFields, left };
}

/** @returns whether the page had another value. */
function setControl(control: HTMLElement, type: string, texts: readonly string[], index: number): boolean {
  if (type === 'checkbox' || type === 'radio')
    return setFlag(control, 'checked', texts.includes(control.getAttribute('value') ?? 'on'));
  if (control.tagName === 'SELECT')
    return control
      .querySelectorAll('option')
      .map((option) =>
        setFlag(option, 'selected', texts.includes(option.getAttribute('value') ?? option.text.trim())),
      )
      .includes(true);
  const text = texts[index];
  if (text === undefined) return false;
  if (control.tagName === 'TEXTAREA') {
    if (control.text === text) return false;
    control.set_content(escapeHtml(text));
    return true;
  }
  if ((control.getAttribute('value') ?? '') === text) return false;
  control.setAttribute('value', escapeHtml(text));
  return true;
}

function setFlag(control: HTMLElement, flag: 'checked' | 'selected', isSet: boolean): boolean {
  if (control.hasAttribute(flag) === isSet) return false;
  if (isSet) control.setAttribute(flag, '');
  else control.removeAttribute(flag);
  return true;
}

/** What was typed must not lie in a part of the page that is folded. */
function openFolds(control: HTMLElement): void {
  for (let fold = control.closest('details'); fold; fold = fold.parentNode?.closest('details') ?? null)
    fold.setAttribute('open', '');
}
