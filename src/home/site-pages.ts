import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderWrittenText } from '../platform/html/index.ts';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { Platform, WebPlatform } from '../platform/platform.ts';
import { contactOf, type Settings } from '../platform/settings/index.ts';
import { findSiteText } from './site-texts-store.ts';

/** The pages that the footer of every page leads to. Operators may write their own text for each. */
export const sitePages = [
  { name: 'help', title: 'Help' },
  { name: 'contact', title: 'Contact' },
  { name: 'privacy', title: 'Privacy' },
  { name: 'cookies', title: 'Cookies' },
  { name: 'accessibility', title: 'Accessibility statement' },
  { name: 'clinical-safety', title: 'Clinical safety' },
] as const;
type SitePageName = (typeof sitePages)[number]['name'];

/** Read once, when the site starts. They are a few kilobytes. */
const defaultTexts = Object.fromEntries(
  sitePages.map(({ name }) => [name, readFileSync(join(import.meta.dirname, 'texts', `${name}.md`), 'utf8')]),
) as Readonly<Record<SitePageName, string>>;

/** The text that a page has until an operator writes another, with the site's own name and contacts. */
function defaultText(name: SitePageName, settings: Settings): string {
  const { siteName, dataController, dataProtectionOfficer, clinicalSafetyContact, operatorContact } =
    settings;
  const seeContact = 'see [Contact](/contact)';
  // The page Contact itself says who is missing, since it has nowhere else to lead to.
  const nobody = 'No contact has been entered for this site yet.';
  const unset =
    name === 'contact'
      ? {
          contact: `${nobody} Ask the person who gave you your account.`,
          safety: `${nobody} Tell your manager and your organisation’s safeguarding lead.`,
          officer: `${nobody} You can [ask about your record here](/rights).`,
        }
      : {
          contact: `${contactOf(settings)} (${seeContact})`,
          safety: seeContact,
          officer: `${contactOf(settings)} (${seeContact})`,
        };
  const words: Readonly<Record<string, string>> = {
    name: siteName,
    contact: operatorContact ?? unset.contact,
    runBy: dataController ? `${siteName} is run by ${dataController}.` : '',
    controller: dataController ?? operatorContact ?? 'not named yet',
    officer: dataProtectionOfficer ?? operatorContact ?? unset.officer,
    safety: clinicalSafetyContact ?? operatorContact ?? unset.safety,
  };
  return defaultTexts[name].replaceAll(/\{(\w+)\}/g, (braced, word: string) => words[word] ?? braced);
}

/** What an operator wrote for a page, or else its default text. */
export async function readSiteText({ db, settings }: Platform, name: SitePageName): Promise<string> {
  return (await findSiteText(db, name))?.text ?? defaultText(name, settings);
}

export function siteTextPages(app: App, deps: WebPlatform): void {
  const { pages } = deps;
  for (const { name, title } of sitePages) {
    app.get(`/${name}`, { config: page(visitor) }, async (request, reply) => {
      const html = renderWrittenText(await readSiteText(deps, name));
      const isContact = name === 'contact';
      return pages.send(request, reply, 'home/templates/site-page.njk', { title, html, isContact });
    });
  }
}
