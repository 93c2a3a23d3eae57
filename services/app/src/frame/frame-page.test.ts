import { describe, expect, it } from '@jest/globals';
import { carriedIdsIn, framePage, hasShownImages, heightInLines } from './frame-page.ts';

const DATA = 'data:image/png;base64,AAAA';
const bodyOf = (html: string, images: 'off' | 'once' = 'off', carried = new Map<string, string>()) =>
  /<body>([^]*)<\/body>/.exec(framePage(html, images, carried).html)?.[1];

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
      expect(/a\[data-host\]::after\{([^}]*)\}/.exec(framePage('', 'off').html)?.[1]).toContain(rule);
  });

  it('runs and sends nothing, and loads images alone, after a person has asked', () => {
    for (const images of ['off', 'once'] as const) {
      const { policy } = framePage('', images);
      expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox;');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toMatch(
        /allow-(scripts|same-origin|forms|modals|downloads|top-navigation)|script-src|connect-src/,
      );
    }
    expect(framePage('', 'off').policy).not.toContain('img-src');
    expect(framePage('', 'once').policy).toContain('img-src data: https:');
  });

  it('has the images that the mail carries as its parts, and loads nothing for them', () => {
    const carried = new Map([['logo@x', DATA]]);
    const html = '<img alt="Logo" src="cid:logo%40x" /><img src="CID:logo@x" /><img src="cid:other" alt="Other" />';
    expect(carriedIdsIn(html)).toEqual(['logo@x', 'other']);
    expect(bodyOf(html, 'off', carried)).toBe(
      `<img alt="Logo" src="${DATA}" /><img src="${DATA}" /><span class="image">Other</span>`,
    );
    expect(framePage(html, 'off', carried).policy).toContain('; img-src data:; ');
    expect(framePage(html, 'off').policy).not.toContain('img-src');
  });

  it('keeps images of others out until a person asks for them, also beside those that the mail carries', () => {
    const carried = new Map([['logo', DATA]]);
    const html = '<img src="cid:logo" /><img src="https://t.example/p.png" />';
    expect(bodyOf(html, 'off', carried)).toBe(`<img src="${DATA}" />`);
    expect(bodyOf(html, 'once', carried)).toBe(`<img src="${DATA}" /><img src="https://t.example/p.png" />`);
  });

  it('shows an image that html repeats as often as there is room for it', () => {
    const carried = new Map([['big', `data:image/png;base64,${'A'.repeat(5_000_000)}`]]);
    const { html } = framePage('<img src="cid:big" />'.repeat(1_000), 'off', carried);
    expect(html.match(/<img/g)).toHaveLength(3);
  });

  it.each(['cid:', 'cid:%', 'cid:a&quot;b', 'xcid:a', ' cid:a'])('survives the address %j', (source) => {
    expect(bodyOf(`<img src="${source}" alt="a" />`, 'off', new Map([['a', DATA]]))).toBe(
      '<span class="image">a</span>',
    );
  });

  it('is as high as its lines', () => {
    expect(heightInLines('<p>short</p>')).toBe(2);
    expect(heightInLines(`<p>${'x'.repeat(1_100)}</p><br />`)).toBe(13);
    expect(heightInLines('<p>a</p><img src="cid:a" />')).toBe(10);
  });
});
