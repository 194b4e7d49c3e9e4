import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Parts of NHS.UK's style sheet that no page uses, by how their classes begin. They are most of it, and every first visit would
 * wait for them.
 */
export const unusedParts = [
  'action-link',
  'body-l',
  'body-m',
  'breadcrumb',
  'button-group--small',
  'caption-xxl',
  'card--care',
  'card--clickable',
  'card--feature',
  'card--primary',
  'card--secondary',
  'card__action',
  'card__content--primary',
  'card__heading--feature',
  'card__heading-container',
  'card__link',
  'card-group',
  'character-count',
  'code',
  'contents-list',
  'do-dont-list',
  'file-upload__choose',
  'file-upload__drop',
  'file-upload__status',
  'footer__heading',
  'frontend-supported',
  'header--inline',
  'header--organisation',
  'header--white',
  'header__account-button',
  'header__logo',
  'header__menu',
  'header__navigation--white',
  'header__navigation-text',
  'header__organisation',
  'header__search',
  'heading-xxs',
  'hero',
  'icon--search',
  'image',
  'input-wrapper__prefix',
  'input-wrapper__suffix',
  'label--l',
  'label--m',
  'label--xl',
  'label-wrapper',
  'link--no',
  'link--reverse',
  'link--text-colour',
  'list--cross',
  'list--tick',
  'list-panel',
  'panel',
  'review-date',
  'scroll',
  'search-input',
  'table--compact',
  'table--no-border',
  'table--no-last-row-border',
  'table--reverse',
  'table--striped',
  'table-container',
  'table-responsive--reverse',
  'table__heading-tab',
  'table__panel',
  'tabs',
  'task-list',
  'u-display',
  'u-float',
  'u-one',
  'u-static',
  'u-three',
  'u-two',
  'u-visually-hidden-focusable',
  'u-width',
];
const unusedClass = new RegExp(`\\.nhsuk-(?:${unusedParts.join('|')})(?![a-z0-9])`);

/**
 * NHS.UK's style sheet without the parts that no page uses. It fetches its typeface, which is licensed to the NHS, from another
 * origin. We remove those rules, and our styles give the typeface's name to Open Sans, which the site serves.
 */
export const nhsukStyles = readFileSync(
  join(import.meta.dirname, '../../../node_modules/nhsuk-frontend/dist/nhsuk/nhsuk-frontend.min.css'),
  'utf8',
)
  .replaceAll(/@font-face\{[^}]*\}/g, '')
  .replaceAll(/\/\*# sourceMappingURL=.*?\*\//g, '')
  .replaceAll(/([^{}]+)(\{[^{}]*\})/g, (rule, selectors: string, declarations: string) => {
    if (!unusedClass.test(selectors)) return rule;
    const used = selectors.split(/,(?![^(]*\))/).filter((selector) => !unusedClass.test(selector));
    return used.length === 0 ? '' : `${used.join(',')}${declarations}`;
  })
  .replaceAll(/@(?:media|supports)[^{}]*\{\}/g, '');

/**
 * Open Sans as files of its own: `@fontsource/open-sans` without hinting, which is half of its size and which screens of today
 * do not need.
 */
export const fonts = [400, 600].map((weight) => ({
  weight,
  body: readFileSync(join(import.meta.dirname, 'fonts', `open-sans-${weight}.woff2`)),
}));

/**
 * Our own styles, a file for each subject, in one sheet without comments and indentation. Those for print and for paper forms come
 * last and override the others.
 */
export const siteStyles = [
  'tokens',
  'page',
  'text',
  'fields',
  'lists',
  'services',
  'map',
  'document',
  'case',
  'reports',
  'questionnaires',
  'dark',
  'print',
  'paper-form',
]
  .map((subject) => readFileSync(join(import.meta.dirname, 'styles', `${subject}.css`), 'utf8'))
  .join('')
  .replaceAll(/\/\*[\s\S]*?\*\//g, '')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1');
