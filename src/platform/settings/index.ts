export { describeSettings } from './describe-settings.ts';
export { readSecretFile } from './read-secret-file.ts';
export {
  contactOf,
  isSetOnMachine,
  readSettings,
  readSettingsWith,
  type Settings,
} from './read-settings.ts';
export { settingsInForce } from './settings-in-force.ts';
