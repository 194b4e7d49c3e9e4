/** What people call the channels. */
export const channelWords: Readonly<Record<string, string>> = {
  inbox: 'list of referrals on this site',
  email: 'email with the letter',
  webhook: 'call to their own system',
  document: 'letter to print or file',
  mesh: 'NHS message exchange',
};
