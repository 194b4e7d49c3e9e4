import type { ListedCommand } from '../command.ts';

/** The name and purpose of each command. Its code is loaded only when it is called: together they load the whole site. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'account create',
    summary: 'Create an account that can sign in at once',
    load: async () => (await import('./account/account-create.ts')).accountCreate,
  },
  {
    name: 'account invite',
    summary: 'Create an account and email its holder a link to choose a password',
    load: async () => (await import('./account/account-invite.ts')).accountInvite,
  },
  {
    name: 'account list',
    summary: 'List the accounts',
    load: async () => (await import('./account/account-list.ts')).accountList,
  },
  {
    name: 'account api-access',
    summary: 'Switch an account’s API access on or off; off ends its access tokens at once',
    load: async () => (await import('./account/account-api-access.ts')).accountApiAccess,
  },
  {
    name: 'account change-email',
    summary: 'Give an account another email address to sign in with',
    load: async () => (await import('./account/account-change-email.ts')).accountChangeEmail,
  },
  {
    name: 'account disable',
    summary: 'Disable an account; its sessions and tokens end at once',
    load: async () => (await import('./account/account-disable.ts')).accountDisable,
  },
  {
    name: 'account enable',
    summary: 'Enable a disabled account',
    load: async () => (await import('./account/account-disable.ts')).accountEnable,
  },
  {
    name: 'account reset-password',
    summary: 'Give an account a new password; its sessions and access tokens end at once',
    load: async () => (await import('./account/account-reset-password.ts')).accountResetPassword,
  },
  {
    name: 'account remove-second-factors',
    summary: 'Turn off somebody’s two-step sign-in; verify their identity first',
    load: async () => (await import('./account/account-remove-second-factors.ts')).accountRemoveSecondFactors,
  },
  {
    name: 'library import',
    summary: 'Import services into the library',
    load: async () => (await import('./library/library-import.ts')).libraryImport,
  },
  {
    name: 'library export',
    summary: 'Write the whole library to a file',
    load: async () => (await import('./library/library-export.ts')).libraryExport,
  },
  {
    name: 'practices import',
    summary: 'Import GP practices',
    load: async () => (await import('./library/practices-import.ts')).practicesImport,
  },
  {
    name: 'postcodes import',
    summary: 'Import the positions of postcodes',
    load: async () => (await import('./library/postcodes-import.ts')).postcodesImport,
  },
  {
    name: 'return-url add',
    summary: 'Register an address that /apilogin may send users back to, with a token of theirs',
    load: async () => (await import('./return-url/return-addresses.ts')).returnAddressAdd,
  },
  {
    name: 'return-url remove',
    summary: 'Remove a return address; nobody is sent to it from then on',
    load: async () => (await import('./return-url/return-addresses.ts')).returnAddressRemove,
  },
  {
    name: 'return-url list',
    summary: 'List the registered return addresses',
    load: async () => (await import('./return-url/return-addresses.ts')).returnAddressList,
  },
  {
    name: 'site check',
    summary: 'Check the site, and say how to fix what is wrong',
    load: async () => (await import('./site/site-check.ts')).siteCheck,
  },
  {
    name: 'site mode',
    summary: 'Make a test site live, or a live site without real patients a test site',
    load: async () => (await import('./site/site-mode.ts')).siteMode,
  },
  {
    name: 'site key make',
    summary: 'Create a site key in a new file',
    load: async () => (await import('./site/site-key-make.ts')).siteKeyMake,
  },
  {
    name: 'site key replace',
    summary: 'Use a new site key after the old one was lost for good',
    load: async () => (await import('./site/site-key-replace.ts')).siteKeyReplace,
  },
  {
    name: 'database move',
    summary: 'Move the site from its own PostgreSQL to an outside one',
    load: async () => (await import('./site/database-move.ts')).databaseMove,
  },
  {
    name: 'migrate',
    summary: 'Update the tables of the database to this version (starting the site does this too)',
    load: async () => (await import('./site/migrate.ts')).migrate,
  },
  {
    name: 'backup',
    summary: 'Back up the whole site to a file',
    load: async () => (await import('./site/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restore a site from a backup, into an empty data directory or database',
    load: async () => (await import('./site/restore.ts')).restore,
  },
];
