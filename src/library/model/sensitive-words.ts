/**
 * The first words of a service that suggest that using it could put somebody in danger, or shame them. It is a guess, for services whose source
 * does not say: an operator confirms it or takes it back. Its name counts as a whole. A description often names what other services do,
 * so only words that say what this one is count there.
 */
export function sensitiveWordsOf({ name, description }: Words): string | undefined {
  return (inName.exec(name) ?? inDescription.exec(description))?.[0];
}

export function looksSensitive(service: Words): boolean {
  return sensitiveWordsOf(service) !== undefined;
}

type Words = { name: string; description: string };

const inName =
  /\b(refuges?|domestic (abuse|violence)|sexual (abuse|assault|violence|health)|rape|hiv|drugs?|alcohol|substance (misuse|use)|addictions?|gambl\w+|gender (identity|dysphoria)|trans(gender)?|lgbt\w*|asylum|refugees?|forced marriage|honour[- ]based|fgm|female genital mutilation|sex work\w*|abortion|needle exchange)\b/i;

const inDescription =
  /\b(women[’']s refuge|refuge for|safe house|(survivors|victims) of (domestic|sexual)|domestic (abuse|violence) (service|support|helpline)|address is (never|not) given|lesbian|lgbt\w*|(people )?seeking asylum|asylum seekers|(drinks|uses drugs) too much)\b/i;
