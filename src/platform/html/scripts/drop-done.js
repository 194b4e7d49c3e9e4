// A success message is shown once: with its code in the address, each reload would say again that the referral was sent.
const address = new URL(location.href);
address.searchParams.delete('done');
history.replaceState(history.state, '', address);
