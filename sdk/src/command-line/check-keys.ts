import { type Command, print } from './terminal.ts';

export const checkKeys: Command = async (onward) => {
  const { account, site, token } = await onward.whoAmI();
  const organisation = account.organisation ? `, ${account.organisation.name}` : '';
  print(`Site          ${site.name}, a ${site.mode} site, ${site.base_url}`);
  print(`Account       ${account.name} (${account.email})${organisation}`);
  print(`Role          ${account.role}`);
  if (token.key) print(`Key           ${token.key}, which allows ${token.scopes.join(', ') || 'nothing'}`);
  print(
    `Access token  works until ${token.valid_to}${token.source === 'refresh' ? ', and can be renewed' : ''}`,
  );
};
