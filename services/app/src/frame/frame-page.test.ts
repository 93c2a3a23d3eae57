import { describe, expect, it } from '@jest/globals';
import { framePage, framePolicy, hasShownImages, heightInLines } from './frame-page.ts';

const DATA = 'data:image/png;base64,AAAA';
const bodyOf = (html: string, images: 'off' | 'once' = 'off') =>
  /<body>([^]*)<\/body>/.exec(framePage(html, images))?.[1];

describe('the frame of an email', () => {
  it('has no image until a person asks for them; the text for it stands in its place', () => {
    const html = `<p>a<img src="${DATA}" alt="A chart" />b<img src="https://t.example/p.png" />c</p>`;
    expect(bodyOf(html)).toBe('<p>a<span class="image">A chart</span>bc</p>');
    expect(bodyOf(html, 'once')).toBe(html);
  });

  it.each([
    ['cid:logo'],
    ['http://t.example/p.png'],
    ['https://10.0.0.1/p.png'],
    ['https://[::1]/p.png'],
    ['https://localhost/p.png'],
    ['https://router.local/p.png'],
    ['https://router.local./p.png'],
    ['https://intranet/p.png'],
    ['https://t.example:8443/p.png'],
    ['https://0x7f000001/p.png'],
    ['data:image/svg+xml;base64,AAAA'],
    ['data:text/html,x'],
  ])('never has the image %s', (source) => {
    expect(bodyOf(`<img src="${source}" />`, 'once')).toBe('');
    expect(hasShownImages(`<img src="${source}" />`)).toBe(false);
  });

  it('says where each link leads, whatever its text says', () => {
    expect(bodyOf('<a href="https://evil.example/?a=1&amp;b=2" target="_blank">https://bank.example</a>')).toBe(
      '<a href="https://evil.example/?a=1&amp;b=2" target="_blank" data-host="evil.example">https://bank.example</a>',
    );
    expect(bodyOf('<a href="https://bank.example@evil.example/">x</a>')).toContain('data-host="evil.example"');
    expect(bodyOf('<a href="https://bänk.example/">x</a>')).toContain('data-host="xn--bnk-qla.example"');
    expect(bodyOf('<a href="http://[::1]/">x</a>')).toContain('data-host="address"');
    expect(bodyOf('<a title=" href=&quot;https://bank.example&quot;" href="https://evil.example/">x</a>')).toContain(
      'data-host="evil.example"',
    );
    expect(bodyOf('<a href="mailto:ann@acme.example">Ann</a>')).toBe('<a href="mailto:ann@acme.example">Ann</a>');
  });

  it.each(['/app/keys', '?images=once', '#top', 'app/', '//evil.example/', 'ftp://a.example/', ''])(
    'has no link to %j, which would lead into the app or name no host',
    (href) => {
      expect(bodyOf(`<a href="${href}" target="_blank">https://bank.example</a>`)).toBe(
        '<a target="_blank">https://bank.example</a>',
      );
    },
  );

  it('keeps no part of an image that leads elsewhere, and lets no style of the mail cover the host of a link', () => {
    expect(bodyOf('<map name="m"><area href="https://evil.example/" shape="rect" /></map>', 'once')).toBe(
      '<map name="m"></map>',
    );
    // The mail has no position, so what has one is painted above it; and nothing of the mail's text is inherited.
    for (const rule of ['position:relative', 'z-index:1', 'letter-spacing:normal', 'text-indent:0', 'background:#fff'])
      expect(/a\[data-host\]::after\{([^}]*)\}/.exec(framePage('', 'off'))?.[1]).toContain(rule);
  });

  it('runs and sends nothing, and loads images alone, after a person has asked', () => {
    for (const images of ['off', 'once'] as const) {
      const policy = framePolicy(images);
      expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox;');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toMatch(
        /allow-(scripts|same-origin|forms|modals|downloads|top-navigation)|script-src|connect-src/,
      );
    }
    expect(framePolicy('off')).not.toContain('img-src');
    expect(framePolicy('once')).toContain('img-src data: https:');
  });

  it('is as high as its lines', () => {
    expect(heightInLines('<p>short</p>')).toBe(2);
    expect(heightInLines(`<p>${'x'.repeat(1_100)}</p><br />`)).toBe(13);
  });
});
