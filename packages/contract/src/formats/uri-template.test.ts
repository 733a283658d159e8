import { describe, expect, test } from "vitest";
import { expandTemplate, needsNothing, parseTemplate, type TemplateValue } from "./uri-template.ts";

/** The values that the examples of RFC 6570 (section 3.2) are about. */
const values: Record<string, TemplateValue> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: {},
  undef: undefined,
};

function expand(template: string): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new Error(parsed.reason);
  return expandTemplate(parsed, values);
}

describe("a template becomes what RFC 6570 says", () => {
  test.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["{var:3}", "val"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys}", "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["{+path}/here", "/foo/bar/here"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list*}", "red,green,blue"],
    ["{+keys*}", "semi=;,dot=.,comma=,"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{.who,who}", ".fred.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.var:3}", "X.val"],
    ["X{.empty_keys}", "X"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var,empty}", "/value/"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?var:3}", "?var=val"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&var:3}", "&var=val"],
    ["{/dub}", "/me%2Ftoo"],
    ["{count}{?undef,x}", "one,two,three?x=1024"],
  ])("%s", (template, expanded) => expect(expand(template)).toBe(expanded));
});

test.each(["{", "a}b", "{}", "{var:0}", "{!var}", "{a b}", "{var:30000}"])("%s is no template", (text) =>
  expect(parseTemplate(text)).toMatchObject({ ok: false, reason: expect.any(String) }),
);

test("an address is complete without values only when they are all optional by its form", () => {
  const complete = (template: string) => {
    const parsed = parseTemplate(template);
    return parsed.ok && needsNothing(parsed);
  };
  expect(["files://all{?page}", "files://all{?a}{&b}{#c}", "files://all"].map(complete)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["files://{name}", "files:/{+path}{?page}", "x{/a}"].map(complete)).toEqual([false, false, false]);
});
