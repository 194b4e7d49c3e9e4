// A page that answers a sent form, such as one that names what is wrong in it. Back leads to the form itself from now on: the browser
// would otherwise ask whether to send it again, on a page of its own.
history.replaceState(history.state, '', location.href);
