import { expect, it } from '@jest/globals';
import { visibleText } from './visible-text.ts';

it.each([
  '<style>.h{display:none}</style><p class="h" style="display:block">yes</p>',
  '<style>.h{display:none !important}</style><p class="h" style="display:block">no</p>yes',
  '<style>.h{display:none !important}</style><p class="h" style="display:block !important">yes</p>',
  '<p style="display:none;display:table-cell">yes</p>',
  '<p style="display:none;display:seen">no</p>yes',
  '<p style="display:block;display:none">no</p>yes',
  '<p style="color:#000;color:#fff">no</p>yes',
  '<p style="color:#fff;color:#000">yes</p>',
  '<p style="color:#fff !important;color:#000">no</p>yes',
  '<p style="color:#fff;color:seen">no</p>yes',
  '<p style="color:#fff;color:var(--ink)">yes</p>',
  '<style>.h{color:#fff !important}</style><p class="h" style="color:#000">no</p>yes',
  '<style>.h{color:#fff}</style><p class="h" style="color:#000">yes</p>',
  '<p style="-webkit-text-fill-color:#222;-webkit-text-fill-color:#fff">no</p>yes',
  '<p style="display:none;a:/*;display:block;*/b">no</p>yes',
  '<p style="display:none;font-family:\'a;display:block\'">no</p>yes',
  '<p style="display:none;background:url(a;display:block)">no</p>yes',
  '<p style="display:none;background:url(a\\);display:block)">no</p>yes',
  "<p style=\"content:'/*';display:none;a:'*/'\">no</p>yes",
  '<p style="display:no/**/ne">yes</p>',
  '<p style="dis\\play:none">no</p>yes',
  '<p style="color:#000\\;color:#fff">yes</p>',
  '<p style="background:#000;background:#fff;color:#fff">no</p>yes',
  '<p style="background:#fff;background:#000;color:#fff">yes</p>',
  '<p style="background-image:none;background-color:#000;color:#fff">yes</p>',
  '<td bgcolor="#000" style="background-image:none;color:#fff">yes</td>',
  '<p style="color:#fff;background:seen">no</p>yes',
  '<p style="color:#fff;background:#000;background-color:seen">yes</p>',
  '<p style="color:#fff;background:#000;background:none">no</p>yes',
  '<p style="color:#fff;background:#000;background-image:none">yes</p>',
  '<p style="color:#fff;background:#fff;background-image:linear-gradient(#000,#000)">yes</p>',
  '<style>.h{background:#000 !important}</style><p class="h" style="color:#fff;background:#fff">yes</p>',
  '<style>.h{background:#000}</style><p class="h" style="color:#fff;background:#fff">no</p>yes',
  '<style>.h{background:#000}p{background:#fff}</style><p class="h" style="color:#fff">yes</p>',
  '<td style="background:url(&quot;https://x.example/a;b.png&quot;) #222;color:#fff">yes</td>',
  '<div style="background:url(data:image/png;base64,AAAA);color:#222">yes</div>',
  '<p style="color:#333;font-family:Don\'t">yes</p>',
  '<style>.q{content:"it\'s"} .b{background:#000;color:#fff}</style><p class="b">yes</p>',
  '<style>td{background:#fff}.d{background-color:#000}</style><td class="d" style="color:#fff">yes</td>',
  '<style>.d{background-color:#000!important}</style><p class="d" style="background:#fff;color:#fff">yes</p>',
  '<div style="overflow:hidden;border-width:0px">yes</div>',
  '<p style="max-height:0">yes</p>',
  '<p style="mso-hide:all">yes</p>',
])('the declaration that a browser follows decides: %s', (html) => expect(visibleText(html).text).toBe('yes'));

it.each([
  '<p class="a hidden b">yes</p>',
  '<p title=" style=display:none ">yes</p>',
  '<p title=" hidden ">yes</p>',
  '<style>.h{display:none}</style><p title=" class=h ">yes</p>',
  '<p style="color:#222" style="display:none">yes</p>',
  '<p title=" style=color:red " style="display:none">no</p>yes',
  '<font color="&#119;hite">no</font><style>.h{display:none}</style><p class="&#104;">no</p>yes',
  '<body text="white"><p>no</p><font color="navy">yes</font></body>',
  '<body text="white" bgcolor="black">yes</body>',
  '<body text="white"><table bgcolor="black"><td>yes</td></table></body>',
  '<body color="white"><p>yes</p></body>',
  '<style>.h{display:none}</style><p title=" class=x " class="h">no</p>yes',
  '<dialog open>yes</dialog>',
])('an attribute is not what stands in the value of another: %s', (html) => expect(visibleText(html).text).toBe('yes'));

it.each([
  '@media (min-width:1px)',
  '@media screen and (max-width:9999px)',
  '@media not print',
  '@layer a',
  '@media(min-width:0)',
])('a rule of %s holds on every screen, and hides', (rule) =>
  expect(visibleText(`<style>${rule}{.h{display:none}}</style><p class="h">no</p>yes`).text).toBe('yes'),
);

it.each([
  '@media (min-width:900px)',
  '@media (max-width:600px)',
  '@media not screen',
  '@media (min-width:1px) and (max-width:600px)',
])('a rule of %s holds on some screens alone, and hides nothing', (rule) =>
  expect(visibleText(`<style>${rule}{.h{display:none}}</style><p class="h">yes</p>`).text).toBe('yes'),
);

it('an address that looks like a comment hides no declaration from the reader', () => {
  expect(visibleText('<b style="background:url(/*);display:none;x:url(*/)">no</b>yes').text).toBe('yes');
});
