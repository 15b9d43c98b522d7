"use strict";
// Renders the document that the page carries. Text of the document goes in as
// text, never as markup.

const spec = JSON.parse(document.getElementById("spec").textContent);
const methods = ["get", "put", "post", "patch", "delete"];

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== ""));
  return e;
}

// resolve follows a reference within the document and merges allOf.
function resolve(x) {
  if (!x) return {};
  if (x.$ref) {
    const found = x.$ref.slice(2).split("/").reduce((at, part) => at[part], spec);
    return resolve(found);
  }
  if (x.allOf) {
    const { allOf, ...rest } = x;
    return Object.assign({}, ...allOf.map(resolve), rest);
  }
  return x;
}

// inline renders `code` and **strong** text.
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return el("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return el("strong", {}, part.slice(2, -2));
    return part;
  });
}

// prose renders paragraphs and tables.
function prose(text) {
  return (text || "").trim().split(/\n\s*\n/).filter(Boolean).map((block) => {
    if (!block.startsWith("|")) return el("p", {}, inline(block.replace(/\n/g, " ")));
    const rows = block.split("\n").filter((l) => !/^\|[-| :]+\|$/.test(l))
      .map((l) => l.split("|").slice(1, -1).map((c) => c.trim()));
    const [head, ...body] = rows;
    return el("div", { class: "wide" }, el("table", {},
      el("thead", {}, el("tr", {}, head.map((c) => el("th", {}, inline(c))))),
      el("tbody", {}, body.map((r) => el("tr", {}, r.map((c) => el("td", {}, inline(c))))))));
  });
}

function typeName(schema) {
  const s = resolve(schema);
  if (s.oneOf) return s.oneOf.map(typeName).join(" or ");
  if (s.type === "array") return "list of " + typeName(s.items);
  if (s.enum) return s.enum.join(" | ");
  let name = s.type || "any";
  if (s.minimum !== undefined && s.maximum !== undefined) name += ` ${s.minimum}–${s.maximum}`;
  if (s.default !== undefined) name += `, default ${s.default}`;
  return name;
}

// tree renders the fields of a schema, down to maxDepth.
const maxDepth = 6;
function tree(schema, depth = 0) {
  let s = resolve(schema);
  while (s.type === "array") s = resolve(s.items);
  if (!s.properties || depth > maxDepth) return null;
  return el("ul", { class: "schema" }, Object.entries(s.properties).map(([name, property]) => {
    const p = resolve(property);
    return el("li", {},
      el("code", {}, name), " ", el("span", { class: "type" }, typeName(property)), " ",
      (s.required || []).includes(name) ? el("span", { class: "need" }, "required ") : "",
      p.description && !p.description.startsWith("|") ? inline(p.description.replace(/\n/g, " ")) : "",
      tree(property, depth + 1));
  }));
}

// sample makes a value from the examples within a schema.
function sample(schema, depth = 0) {
  const s = resolve(schema);
  if (s.example !== undefined) return s.example;
  if (s.oneOf) return sample(s.oneOf[0], depth);
  if (s.enum) return s.enum[0];
  switch (s.type) {
    case "array": return depth > maxDepth ? [] : [sample(s.items, depth + 1)];
    case "object": {
      const out = {};
      for (const [name, p] of Object.entries(s.properties || {})) {
        if ((s.required || []).includes(name)) out[name] = sample(p, depth + 1);
      }
      return out;
    }
    case "integer": case "number": return 0;
    case "boolean": return false;
  }
  return "";
}

const show = (value) => typeof value === "string" ? value : JSON.stringify(value, null, 2);
const exampleOf = (media) => show(media.example !== undefined ? media.example : sample(media.schema));

function parameters(list) {
  if (!list.length) return null;
  return [el("h3", {}, "Parameters"), el("div", { class: "wide parameters" }, el("table", {}, el("tbody", {},
    list.map((p) => el("tr", {},
      el("td", {}, el("code", {}, p.name)),
      el("td", { class: "type" }, `${p.in}, ${typeName(p.schema)}`, p.required ? el("span", { class: "need" }, " required") : ""),
      el("td", {}, inline(p.description || "")))))))];
}

function requestBody(body) {
  if (!body) return null;
  return Object.entries(body.content).map(([type, media]) => [
    el("h3", {}, "Body ", el("span", { class: "type" }, type + (body.required ? "" : ", optional"))),
    tree(media.schema), el("pre", {}, exampleOf(media))]);
}

function responses(all) {
  const good = [], bad = [];
  for (const [status, response] of Object.entries(all)) {
    const r = resolve(response);
    if (status >= "300") { bad.push([status, r.description]); continue; }
    const [type, media] = Object.entries(r.content || {})[0] || [];
    good.push(el("h3", {}, `${status} `, el("span", { class: "type" }, type || "")), el("p", {}, r.description));
    if (media && type === "application/json") {
      good.push(tree(media.schema) || "");
      if (media.example !== undefined) good.push(el("pre", {}, show(media.example)));
    }
  }
  return [good, bad.length ? [el("h3", {}, "Errors"), el("table", {}, el("tbody", {},
    bad.map(([status, text]) => el("tr", {}, el("td", {}, el("code", {}, status)), el("td", {}, inline(text))))))] : ""];
}

// tryIt is a form that sends the operation and shows what came back.
function tryIt(method, path, params, body) {
  const inputs = params.map((p) => [p, el("input", {
    name: p.name, "aria-label": p.name, spellcheck: "false",
    value: p.in === "path" && p.example !== undefined ? p.example : "",
    placeholder: p.example !== undefined ? String(p.example) : "",
  })]);
  const types = body ? Object.keys(body.content) : [];
  const type = el("select", { "aria-label": "Content type" }, types.map((t) => el("option", {}, t)));
  const text = el("textarea", { "aria-label": "Body", spellcheck: "false" });
  const fill = () => { if (types.length) text.value = exampleOf(body.content[type.value]); };
  type.addEventListener("change", fill);
  fill();
  const send = el("button", { type: "submit" }, "Send");
  const status = el("span", { class: "quiet", role: "status" });
  const answer = el("pre", { hidden: true });

  async function submit(event) {
    event.preventDefault();
    const headers = {}, query = new URLSearchParams();
    let url = path;
    for (const [p, input] of inputs) {
      if (input.value === "") continue;
      if (p.in === "path") url = url.replace(`{${p.name}}`, encodeURIComponent(input.value));
      else if (p.in === "query") query.append(p.name, input.value);
      else headers[p.name] = input.value;
    }
    const token = document.getElementById("token").value;
    if (token) headers.Authorization = "Bearer " + token;
    const options = { method: method.toUpperCase(), headers };
    if (body && text.value.trim() !== "") {
      headers["Content-Type"] = type.value;
      options.body = text.value;
    }
    send.disabled = true;
    status.textContent = "…";
    const began = performance.now();
    try {
      const response = await fetch(url + (query.size ? "?" + query : ""), options);
      const raw = await response.text();
      status.textContent = `${response.status} in ${Math.round(performance.now() - began)} ms`;
      let shown = raw;
      try { shown = JSON.stringify(JSON.parse(raw), null, 2); } catch { /* not JSON: as it is */ }
      answer.textContent = shown;
    } catch (error) {
      status.textContent = "not sent";
      answer.textContent = String(error);
    }
    answer.hidden = false;
    send.disabled = false;
  }

  return [el("h3", {}, "Try it"), el("form", { onsubmit: submit },
    inputs.map(([p, input]) => el("label", { class: "field" }, el("code", {}, p.name), input)),
    body ? [types.length > 1 ? el("p", {}, type) : "", text] : "",
    el("p", { class: "status" }, send, status)), answer];
}

function operation(method, path, item, op) {
  const params = [...(item.parameters || []), ...(op.parameters || [])].map(resolve);
  const inside = el("div", { class: "inside" });
  const details = el("details", { class: "operation", id: op.operationId },
    el("summary", {}, el("span", { class: "method " + method }, method.toUpperCase()),
      el("span", { class: "path" }, path), el("span", { class: "quiet" }, op.summary)), inside);
  // Trees are made when somebody looks: there are many.
  details.addEventListener("toggle", () => {
    if (!details.open || inside.childElementCount) return;
    inside.append(...[prose(op.description), parameters(params), requestBody(op.requestBody),
      responses(op.responses), tryIt(method, path, params, op.requestBody)].flat(4).filter(Boolean));
  });
  return details;
}

function main() {
  document.getElementById("version").textContent = "v" + spec.info.version;
  document.getElementById("intro").append(el("h1", {}, spec.info.title + " API"), ...prose(spec.info.description));
  const index = document.getElementById("index"), list = document.getElementById("operations");
  const entries = [];
  for (const tag of spec.tags) {
    const links = [], blocks = [];
    for (const [path, item] of Object.entries(spec.paths)) {
      for (const method of methods) {
        const op = item[method];
        if (!op || !op.tags.includes(tag.name)) continue;
        const block = operation(method, path, item, op);
        const link = el("a", { href: "#" + op.operationId, title: `${method.toUpperCase()} ${path}` },
          el("span", { class: "method " + method }, method.toUpperCase()), op.summary);
        entries.push({ text: `${method} ${path} ${op.summary} ${op.operationId}`.toLowerCase(), link, block });
        links.push(link);
        blocks.push(block);
      }
    }
    const group = el("section", {}, el("h2", {}, tag.name), el("p", { class: "quiet" }, tag.description), blocks);
    list.append(group);
    index.append(el("div", {}, el("h2", {}, tag.name), links));
  }

  document.getElementById("filter").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const { text, link, block } of entries) {
      link.hidden = block.hidden = !text.includes(wanted);
    }
    for (const group of [...index.children, ...list.children]) {
      group.hidden = !group.querySelector("a:not([hidden]), details:not([hidden])");
    }
  });
  document.getElementById("access").addEventListener("submit", (event) => event.preventDefault());
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
  };
  window.addEventListener("hashchange", open);
  open();
}

main();
