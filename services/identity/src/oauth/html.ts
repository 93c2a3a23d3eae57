const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** The colours of the app, which this page looks like although it shares no file with it. */
const STYLE = `:root{color-scheme:light dark;--page:#fff;--raised:#fff;--line:#cfcfd6;--text:#1b1c21;--soft:#5c5e68;--accent:#3f51c9}
@media (prefers-color-scheme:dark){:root{--page:#131418;--raised:#1b1c22;--line:#3c3f4a;--text:#ececf1;--soft:#a2a5b1;--accent:#a9b4ff}}
body{font:.875rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);accent-color:var(--accent);max-width:34rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.25rem}fieldset{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.25rem 1rem}legend{font-weight:600;padding:0 .25rem}
label{font-weight:600}fieldset span{display:block;padding-left:1.6rem;color:var(--soft)}
.answers{display:flex;gap:.5rem}button,select{font:inherit;color:var(--text);background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.5rem 1.25rem;min-height:2.75rem}
button{font-weight:600;cursor:pointer}button[value=allow]{color:#fff;background:#3f51c9;border-color:#3f51c9}`;

export function page(title: string, body: string, nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Postroom</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main>${body}</main></body></html>
`;
}
