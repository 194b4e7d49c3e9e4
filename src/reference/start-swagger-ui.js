// Starts Swagger UI on the reference page, and the “Use my key” button.
const place = document.getElementById('swagger-ui');
const tryItOut = place.dataset.tryItOut === 'true';
const ui = window.SwaggerUIBundle({
  url: '/api/openapi.json',
  domNode: place,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  validatorUrl: null,
  tryItOutEnabled: tryItOut,
  supportedSubmitMethods: tryItOut ? ['get', 'put', 'post', 'delete', 'patch'] : [],
});

const button = document.getElementById('use-my-key');
const message = document.getElementById('use-my-key-message');
button?.addEventListener('click', async () => {
  const answer = await fetch('/api/docs/key', { method: 'POST', redirect: 'manual' });
  if (!answer.ok) {
    message.textContent =
      'Your key could not be used. Sign in again, and check that your account has API access.';
    return;
  }
  const key = await answer.json();
  ui.preauthorizeApiKey('access_token', key.access_token);
  const until = new Date(key.valid_to).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  message.textContent = `Your key is in use until ${until}. Every “Execute” below sends it.`;
});
