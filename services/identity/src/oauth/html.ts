const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem}fieldset{border:1px solid;border-radius:.5rem;padding:.25rem 1rem}legend{font-weight:600}fieldset span{display:block;padding-left:1.6rem}
.answers{display:flex;gap:.75rem}button,select{font:inherit;padding:.5rem 1.25rem;min-height:2.75rem}`;

export function page(title: string, body: string, nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Postroom</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main>${body}</main></body></html>
`;
}
