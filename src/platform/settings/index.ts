export { contactOf } from './contact-of.ts';
export { describeSettings } from './describe-settings.ts';
export { readSecretFile } from './read-secret-file.ts';
export { readSettings, readSettingsWith, type Settings } from './read-settings.ts';
