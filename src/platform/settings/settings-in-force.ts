import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';
import type { Settings } from './read-settings.ts';
import { settingGroups } from './setting-groups.ts';

type SettingInForce = {
  variable: string;
  meaning: string;
  /** In words; a secret is only said to be set. */
  value: string;
  /** Whether the environment sets it, even to its default. */
  isSet: boolean;
  /** Whether the environment sets it to something other than its default. */
  isChanged: boolean;
  /** The page on which an operator entered it. */
  entryPage: string | undefined;
  defaultInWords: string;
};

type SettingGroup = { heading: string; settings: SettingInForce[] };

/** Every setting as this process has it, without secrets, under the headings of docs/configuration.md. */
export function settingsInForce(settings: Settings): SettingGroup[] {
  return Object.entries(settingGroups).map(([heading, keys]) => ({
    heading,
    settings: keys.map((key) => settingInForce(settings, key)),
  }));
}

function settingInForce(settings: Settings, key: keyof typeof definitions): SettingInForce {
  const definition: Definition<unknown> = definitions[key];
  const { variable, meaning, defaultValue, defaultByMode, defaultInWords, isSecret } = definition;
  const value = settings[key];
  const isSet = settings.setVariables.has(variable);
  const ordinary = defaultByMode ? defaultByMode[settings.mode] : defaultValue;
  const isChanged = isSet && JSON.stringify(value) !== JSON.stringify(ordinary);
  // A default that depends on the mode or on other settings is shown as it came out.
  const isShown = isSet || (value !== undefined && defaultValue === undefined);
  const shown = isSecret ? 'Set (hidden)' : formatValue(value);
  const entryPage = !isSet && value !== undefined ? definition.entryPage : undefined;
  return {
    variable,
    meaning,
    isSet,
    isChanged,
    entryPage,
    defaultInWords,
    value: isShown ? shown : defaultInWords,
  };
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return withoutPassword(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return 'Set';
}

/** Addresses of databases and mail servers have passwords in them. */
function withoutPassword(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'Set (hidden)';
  const name = url.username === '' && url.password === '' ? '' : '(hidden)@';
  return `${url.protocol}//${name}${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
